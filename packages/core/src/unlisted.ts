/**
 * A value that an open set in a response does not list: a string about which nothing else is known. A service may send one
 * at any time, so a `switch` needs a `default`. No literal is assignable to it, so `===` and `switch` narrow to the listed
 * members.
 */
declare enum Unlisted {
  value = "\u0000",
}

export type { Unlisted };
