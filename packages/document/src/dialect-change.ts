/** How a change of one of the contract's own keys is judged. The verdicts stand here, and the comparison reads them. */

/** What a change does to callers. A warning fails no build. */
export interface KeyVerdict {
  readonly verdict: "breaking" | "warning" | "additive" | "neutral";
  readonly why: string;
}

const breaking = (why: string): KeyVerdict => ({ verdict: "breaking", why });
const warning = (why: string): KeyVerdict => ({ verdict: "warning", why });
const additive = (why: string): KeyVerdict => ({ verdict: "additive", why });
const neutral = (why: string): KeyVerdict => ({ verdict: "neutral", why });

/** A kind of change of a key. */
export type KeyChange =
  | "alias-changed"
  | "basis-changed"
  | "client-option-added"
  | "client-option-changed"
  | "invalid-status-changed"
  | "method-added"
  | "method-removed"
  | "method-renamed"
  | "pagination-added"
  | "pagination-changed"
  | "resend-looser"
  | "resend-stricter"
  | "rewritten"
  | "rules-changed"
  | "sensitive-added"
  | "sensitive-removed"
  | "set-closed"
  | "set-opened"
  | "stream-added"
  | "stream-changed"
  | "timeout-raised"
  | "timeout-shortened"
  | "types-narrowed"
  | "types-widened";

/** Every kind of change of a key, with its verdict and the sentence that gives the reason. */
export const keyChanges: Readonly<Record<KeyChange, KeyVerdict>> = {
  "alias-changed": breaking("The path may do something else than it did."),
  "basis-changed": neutral("Where the fact comes from is said anew; the fact stays."),
  "client-option-added": additive("The client can fill the parameter from an option."),
  "client-option-changed": breaking("The client no longer fills the parameter from its old option."),
  "invalid-status-changed": breaking("A request that breaks the limit is refused with another status."),
  "method-added": additive("The client gains a method."),
  "method-removed": breaking("The client loses the method."),
  "method-renamed": breaking("The client no longer has the method under its old name."),
  "pagination-added": breaking("The method now gives a page instead of the plain answer."),
  "pagination-changed": breaking("Pages are followed in another way."),
  "resend-looser": warning("Calls that failed may now be sent again: check that the operation can be repeated safely."),
  "resend-stricter": breaking("Calls that were sent again after a failure now fail."),
  rewritten: neutral("It says the same in another form."),
  "rules-changed": warning("What callers may rely on is said anew."),
  "sensitive-added": neutral("Only what is logged and shown changes."),
  "sensitive-removed": warning("The value may now be logged and shown."),
  "set-closed": additive("Readers may now rely on the members that are listed."),
  "set-opened": breaking("Readers must now expect members that they do not know."),
  "stream-added": additive("The answer can be streamed, for who asks."),
  "stream-changed": breaking("Who streams the answer reads it in another way."),
  "timeout-raised": additive("Slower answers now arrive."),
  "timeout-shortened": breaking("Calls that were answered in time now time out."),
  "types-narrowed": breaking("Programs that pass one of the values no longer compile."),
  "types-widened": additive("Programs may pass more values."),
};

/**
 * Which kind of change it is when a key's value differs: one kind always, one for each way in which it can differ, or as the
 * two values decide. An absent value is undefined.
 */
export type Changes =
  | { readonly always: KeyChange }
  | { readonly added: KeyChange; readonly changed: KeyChange; readonly removed: KeyChange }
  | { between(before: unknown, now: unknown): KeyChange };

/** The kind of a change from one value of a key to another. */
export function keyChangeOf(changes: Changes, before: unknown, now: unknown): KeyChange {
  if ("always" in changes) return changes.always;
  if ("between" in changes) return changes.between(before, now);
  return before === undefined ? changes.added : now === undefined ? changes.removed : changes.changed;
}
