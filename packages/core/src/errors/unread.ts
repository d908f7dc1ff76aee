import { codeNote, codeOf } from "./code-of.ts";
import { ConnectionError } from "./failures.ts";
import { type CallFacts, TrainyardError } from "./trainyard-error.ts";

// The runtimes report a connection that broke as a `TypeError`, workerd in words, and other implementations of `fetch` with
// a code.
const ofNetwork = /^TypeError|network|ECONN|PREMATURE/i;

/** A body may end with any value, also with one that no text can be made of. */
const inWords = (cause: unknown): string => {
  try {
    return String(cause);
  } catch {
    return "";
  }
};

/** Throws the error of a body that cannot be read. Only a failure of the network may be retried. */
export const unread =
  (origin: string, facts: CallFacts) =>
  (cause: unknown): never => {
    // A body that was never read is locked: a middleware reads it.
    throw facts.response?.bodyUsed !== false && ofNetwork.test(inWords(cause) + codeOf(cause))
      ? new ConnectionError(`lost the connection to ${origin}${codeNote(cause)}`, facts, { cause })
      : new TrainyardError(`cannot read the body from ${origin}${codeNote(cause)}`, facts, { cause });
  };
