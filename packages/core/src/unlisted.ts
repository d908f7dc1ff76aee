/**
 * The value of a member that an open set of answers does not list: a string of which nothing more is known. A service may send
 * it at any time; programs pass over it, in the `default` of a `switch`. None can be written, so that `===` and `switch` tell
 * the listed members apart.
 */
declare enum Unlisted {
  value = "\u0000",
}

export type { Unlisted };
