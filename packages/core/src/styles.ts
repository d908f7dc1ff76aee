/**
 * Styles of parameters that few documents use. A generated client imports those of its document.
 *
 * @module
 */
import type { CallOptions } from "./options.ts";

/** Writes one query parameter as pairs. */
type Style = (name: string, value: unknown) => (readonly [name: string, value: unknown])[];

/** Writes the parameters of a query that have styles. The others stay as they are. */
export const styledQuery =
  (styles: { readonly [name: string]: Style }) =>
  (query: object | undefined): object | undefined => {
    const pairs = Object.entries(query ?? {}).flatMap(
      ([name, value]) =>
        (value !== null && value !== undefined && styles[name]?.(name, value)) || [[name, value] as const],
    );
    return query && Object.fromEntries(pairs);
  };

/** `style: deepObject`: `f[x]=1`. OpenAPI does not define how an object inside of it is written. */
export const deepObject: Style = (name, value) =>
  Object.entries(Object(value)).map(([key, one]) => [`${name}[${key}]`, one]);

/** An object with `style: form`: `x=1`. */
export const exploded: Style = (_, value) => Object.entries(Object(value));

/** The items of a list, or the names and values of an object, without those that have no value. */
const partsOf = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.filter((one) => one !== null && one !== undefined)
    : Object.entries(Object(value)).flatMap(([key, one]) => (one === null || one === undefined ? [] : [key, one]));

/** An object with `style: form` as one value, which the engine joins: `f=x,1`. */
export const flat: Style = (name, value) => [[name, partsOf(value)]];

/** A list or an object as one value: `ids=1%202`, `ids=1%7C2`. Without an item, it is not sent. */
export const delimited =
  (delimiter: string): Style =>
  (name, value) => {
    if (typeof value !== "object") return [[name, value]];
    const parts = partsOf(value);
    return parts.length === 0 ? [] : [[name, parts.join(delimiter)]];
  };

/** `content: application/json`. */
export const jsonText: Style = (name, value) => [[name, JSON.stringify(value)]];

/** Writes the cookies of a call as a header. */
export function withCookies(options: CallOptions & { readonly cookies?: object | undefined }): CallOptions {
  const pairs = Object.entries(options.cookies ?? {}).filter(([, value]) => value !== null && value !== undefined);
  if (pairs.length === 0) return options;
  const cookie = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; ");
  return { ...options, headers: { ...options.headers, cookie } };
}
