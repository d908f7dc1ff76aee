/** How a change of one of the contract's own keys is judged. The verdicts stand here, and the comparison reads them. */
import type { JsonObject } from "@trainyard/core/validation";

/**
 * What a change does to one audience: to whoever exchanges requests and answers (`wire`), whoever compiles against the clients
 * (`source`), or whoever relies on the document's words (`reader`). A warning fails no build.
 */
export interface KeyVerdict {
  readonly verdict: "breaking" | "warning" | "additive" | "neutral";
  readonly audience: "wire" | "source" | "reader";
  readonly why: string;
}

/** The verdicts of a kind of change: the same wherever the key stands, or by the way that its holder goes. */
export type KeyVerdicts =
  | readonly KeyVerdict[]
  | { readonly sent: readonly KeyVerdict[]; readonly read: readonly KeyVerdict[] };

type Judge = (why: string) => KeyVerdict;

function forAudience(audience: KeyVerdict["audience"]): Readonly<Record<KeyVerdict["verdict"], Judge>> {
  return {
    breaking: (why) => ({ verdict: "breaking", audience, why }),
    warning: (why) => ({ verdict: "warning", audience, why }),
    additive: (why) => ({ verdict: "additive", audience, why }),
    neutral: (why) => ({ verdict: "neutral", audience, why }),
  };
}

const wire = forAudience("wire");
const source = forAudience("source");
const reader = forAudience("reader");

/** A kind of change of a key. */
export type KeyChange =
  | "alias-changed"
  | "basis-changed"
  | "basis-withdrawn"
  | "client-option-added"
  | "client-option-changed"
  | "fold-added"
  | "fold-changed"
  | "invalid-status-changed"
  | "method-added"
  | "method-removed"
  | "method-renamed"
  | "pagination-added"
  | "pagination-changed"
  | "promise-added"
  | "promise-reworded"
  | "promise-withdrawn"
  | "resend-looser"
  | "resend-stricter"
  | "resend-unsafe"
  | "rewritten"
  | "safe-added"
  | "safe-removed"
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

/** Every kind of change of a key, with its verdicts and the sentences that give the reasons. */
export const keyChanges: Readonly<Record<KeyChange, KeyVerdicts>> = {
  "alias-changed": [wire.breaking("The path may do something else than it did.")],
  "basis-changed": [reader.neutral("Where the fact comes from is said anew; the fact stays.")],
  "basis-withdrawn": [reader.warning("It was more certain before: a promise is taken back.")],
  "client-option-added": [source.additive("The client can fill the parameter from an option.")],
  "client-option-changed": [source.breaking("The client no longer fills the parameter from its old option.")],
  "fold-added": [source.additive("The client can add the items up to the whole answer.")],
  "fold-changed": [source.breaking("The client adds the items up in another way, or no longer.")],
  "invalid-status-changed": [wire.warning("A request that breaks the limit is refused with another status.")],
  "method-added": [source.additive("The client gains a method.")],
  "method-removed": [source.breaking("The client loses the method.")],
  "method-renamed": [source.breaking("The client no longer has the method under its old name.")],
  "pagination-added": [source.breaking("The method now gives a page instead of the plain answer.")],
  "pagination-changed": [source.breaking("Pages are followed in another way.")],
  "promise-added": [reader.neutral("One sentence more that callers may rely on.")],
  "promise-reworded": [reader.neutral("It is said in other words: check that it still says the same.")],
  "promise-withdrawn": [reader.warning("Callers may have relied on it: a promise is taken back.")],
  "resend-looser": [source.additive("Calls that failed may now be sent again.")],
  "resend-stricter": [source.breaking("Calls that were sent again after a failure now fail.")],
  "resend-unsafe": [
    source.warning("A call that changes something may be carried out twice: check that the service allows it."),
  ],
  rewritten: [reader.neutral("It says the same in another form.")],
  "safe-added": [reader.neutral("It is said that the operation changes nothing.")],
  "safe-removed": [
    reader.warning("It changed nothing, and may change something now: callers may have called it to look."),
  ],
  "sensitive-added": [source.neutral("It is logged and shown no more.")],
  "sensitive-removed": [source.warning("A value that was kept secret may now be logged and shown.")],
  "set-closed": {
    sent: [source.neutral("What is sent was listed before as well.")],
    read: [wire.additive("Readers may now rely on the members that are listed.")],
  },
  "set-opened": {
    sent: [source.additive("The types take values that are not listed.")],
    read: [
      wire.warning("From now on members may come that are not listed."),
      source.breaking("The types have one member more: a `switch` over all of them is no longer complete."),
    ],
  },
  "stream-added": [wire.additive("The answer can be streamed, for who asks.")],
  "stream-changed": [wire.breaking("Who streams the answer reads it in another way.")],
  "timeout-raised": [source.additive("Slower answers now arrive.")],
  "timeout-shortened": [source.breaking("Calls that were answered in time now time out.")],
  "types-narrowed": [source.breaking("Programs that pass one of the values no longer compile.")],
  "types-widened": [source.additive("Programs may pass more values.")],
};

/** What stands around a key where it differs. */
export interface KeyPlace {
  /** The objects that carry it, or carried it, before and now. */
  readonly holders: readonly [before: JsonObject, now: JsonObject];
  /** What the nearest object around says with the same key, before and now; undefined where none does. */
  readonly around: readonly [before: unknown, now: unknown];
  /** The HTTP method of the operation that carries it, in small letters. */
  readonly method?: string;
}

/**
 * Which kind of change it is when a key's value differs: one kind always, one for each way in which it can differ, as the two
 * values and what stands around them decide, or a kind for each sentence of a list. An absent value is undefined.
 */
export type Changes =
  | { readonly always: KeyChange }
  | { readonly added: KeyChange; readonly changed: KeyChange; readonly removed: KeyChange }
  | { between(before: unknown, now: unknown, place: KeyPlace): KeyChange }
  | { readonly sentences: true };

/** The kind of a change from one value of a key to another; undefined where each sentence has one of its own. */
export function keyChangeOf(changes: Changes, before: unknown, now: unknown, place: KeyPlace): KeyChange | undefined {
  if ("sentences" in changes) return undefined;
  if ("always" in changes) return changes.always;
  if ("between" in changes) return changes.between(before, now, place);
  return before === undefined ? changes.added : now === undefined ? changes.removed : changes.changed;
}
