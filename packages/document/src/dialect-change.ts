/** The verdicts on changes of the contract's own keys. The comparison of contracts reads them from here. */
import type { JsonObject } from "@trainyard/core/validation";

/**
 * The verdict of a change for one audience: those who exchange requests and responses (`wire`), those who compile against
 * the clients (`source`), or those who rely on the document's text (`reader`). A warning does not fail the check.
 */
export interface KeyVerdict {
  readonly verdict: "breaking" | "warning" | "additive" | "neutral";
  readonly audience: "wire" | "source" | "reader";
  readonly why: string;
}

/** The verdicts of a kind of change: either the same everywhere, or by whether the key's holder is sent or read. */
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

/** Every kind of change of a key, with its verdicts and their reasons. */
export const keyChanges: Readonly<Record<KeyChange, KeyVerdicts>> = {
  "alias-changed": [wire.breaking("The path may now do something else.")],
  "basis-changed": [reader.neutral("The source of the fact changed, and the fact stays the same.")],
  "basis-withdrawn": [reader.warning("The fact is less certain than before, so a promise was withdrawn.")],
  "client-option-added": [source.additive("The client can fill the parameter from an option.")],
  "client-option-changed": [source.breaking("The client no longer fills the parameter from its old option.")],
  "fold-added": [source.additive("The client can combine the items of a stream into the whole response.")],
  "fold-changed": [
    source.breaking("The client combines the items of a stream differently, or no longer combines them."),
  ],
  "invalid-status-changed": [wire.warning("A request that violates the limit is rejected with another status.")],
  "method-added": [source.additive("The client has a new method.")],
  "method-removed": [source.breaking("The client no longer has the method.")],
  "method-renamed": [source.breaking("The client no longer has the method under its old name.")],
  "pagination-added": [source.breaking("The method now returns a page instead of the plain response.")],
  "pagination-changed": [source.breaking("The client requests further pages differently.")],
  "promise-added": [reader.neutral("Callers may rely on one more sentence.")],
  "promise-reworded": [reader.warning("The words changed. Only a person sees whether the meaning changed.")],
  "promise-withdrawn": [reader.warning("A promise was withdrawn, and callers may have relied on it.")],
  "resend-looser": [source.additive("Clients may now retry calls that failed.")],
  "resend-stricter": [source.breaking("Clients no longer retry calls that failed.")],
  "resend-unsafe": [
    source.warning("A call that changes something may be performed twice. Check that the service allows this."),
  ],
  rewritten: [reader.neutral("The meaning is the same in another form.")],
  "safe-added": [reader.neutral("The document now states that the operation changes nothing.")],
  "safe-removed": [
    reader.warning(
      "The operation changed nothing before and may now change something. Tools may have called it to inspect a service.",
    ),
  ],
  "sensitive-added": [source.neutral("Clients no longer put it into their logs and error messages.")],
  "sensitive-removed": [source.warning("Clients may now put the value into their logs and error messages.")],
  "set-closed": {
    sent: [source.neutral("Requests contained only the listed members before, too.")],
    read: [wire.additive("Callers may now rely on the listed members.")],
  },
  "set-opened": {
    sent: [source.additive("The types accept values that are not listed.")],
    read: [
      wire.warning("Responses may now contain members that are not listed."),
      source.breaking("The types have one more member, so a `switch` over all members is no longer complete."),
    ],
  },
  "stream-added": [wire.additive("Callers can now request the response as a stream.")],
  "stream-changed": [wire.breaking("Callers that request a stream have to read it differently.")],
  "timeout-raised": [source.additive("Slower responses no longer time out.")],
  "timeout-shortened": [source.breaking("Calls that were fast enough before may now time out.")],
  "types-narrowed": [source.breaking("Programs that pass one of the values no longer compile.")],
  "types-widened": [source.additive("Programs may pass more values.")],
};

/** The context of a key whose value changed. */
export interface KeyContext {
  /** The objects that hold the key, before and now. */
  readonly holders: readonly [before: JsonObject, now: JsonObject];
  /** The value of the same key on the nearest enclosing object, before and now; undefined if it has none. */
  readonly around: readonly [before: unknown, now: unknown];
  /** The HTTP method of the operation that holds the key, in lower case. */
  readonly method?: string;
}

/**
 * Selects the kind of change when a key's value changes: always the same kind, a kind computed from the two values and
 * their context, or a kind for each sentence of a list. An absent value is undefined.
 */
export type Changes =
  | { readonly always: KeyChange }
  | { readonly added: KeyChange; readonly changed: KeyChange; readonly removed: KeyChange }
  | { between(before: unknown, now: unknown, context: KeyContext): KeyChange }
  | { readonly sentences: true };

/** The kind of a change from one value of a key to another; undefined if each sentence has its own kind. */
export function keyChangeOf(
  changes: Changes,
  before: unknown,
  now: unknown,
  context: KeyContext,
): KeyChange | undefined {
  if ("sentences" in changes) return undefined;
  if ("always" in changes) return changes.always;
  if ("between" in changes) return changes.between(before, now, context);
  return before === undefined ? changes.added : now === undefined ? changes.removed : changes.changed;
}
