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
  "alias-changed": [wire.breaking("The path may now do something else.")],
  "basis-changed": [reader.neutral("The source of the fact changed, and the fact stays the same.")],
  "basis-withdrawn": [reader.warning("The fact is less certain than before, so a promise was withdrawn.")],
  "client-option-added": [source.additive("The client can fill the parameter from an option.")],
  "client-option-changed": [source.breaking("The client no longer fills the parameter from its old option.")],
  "fold-added": [source.additive("The client can combine the items of a stream into the whole response.")],
  "fold-changed": [
    source.breaking("The client combines the items of a stream differently, or no longer combines them."),
  ],
  "invalid-status-changed": [wire.warning("A request that breaks the limit is refused with another status.")],
  "method-added": [source.additive("The client has a new method.")],
  "method-removed": [source.breaking("The client no longer has the method.")],
  "method-renamed": [source.breaking("The client no longer has the method under its old name.")],
  "pagination-added": [source.breaking("The method now returns a page instead of the plain response.")],
  "pagination-changed": [source.breaking("The client requests further pages differently.")],
  "promise-added": [reader.neutral("Callers may rely on one more sentence.")],
  "promise-reworded": [reader.neutral("The words changed. Check that the meaning is the same.")],
  "promise-withdrawn": [reader.warning("A promise was withdrawn, and callers may have relied on it.")],
  "resend-looser": [source.additive("Clients may now retry calls that failed.")],
  "resend-stricter": [source.breaking("Clients no longer retry calls that failed.")],
  "resend-unsafe": [
    source.warning("A call that changes something may be performed twice. Check that the service allows this."),
  ],
  rewritten: [reader.neutral("It says the same in another form.")],
  "safe-added": [reader.neutral("The document now states that the operation changes nothing.")],
  "safe-removed": [
    reader.warning(
      "The operation changed nothing before and may now change something. Tools may have called it to inspect a service.",
    ),
  ],
  "sensitive-added": [source.neutral("It is no longer logged or shown.")],
  "sensitive-removed": [source.warning("A value that was kept secret may now be logged and shown.")],
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
