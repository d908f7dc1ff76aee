import { isObject } from "@trainyard/core/validation";
import { isLocalTime } from "./exceptions.ts";

/** A class of values that another validator handles differently, rightly or not. */
export interface ValueException {
  readonly name: string;
  /** Why our validators are right. */
  readonly why: string;
  /** The value without the part that causes the difference. It explains a difference if both agree on the result. */
  without(value: unknown): unknown;
}

/** All classes. One that is never needed fails the long form of the test. */
export const valueExceptions: readonly ValueException[] = [
  {
    name: "a time without an offset",
    why: "The contract reads it as UTC; RFC 3339 requires an offset.",
    without: (value) => each(value, (one) => (isLocalTime(one) ? `${one}Z` : one)),
  },
];

/** A copy of a value with each inner value replaced. */
function each(value: unknown, change: (one: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, change));
  if (!isObject(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner, change)]));
}
