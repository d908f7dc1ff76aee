/** The form of a row of the dialect. */
import type { JsonObject } from "@trainyard/core/validation";
import type { Changes } from "./dialect-change.ts";

/** A JSON Schema of dialect 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The kinds of objects that may have a key, by their OpenAPI names. */
export const holders = [
  "Info",
  "Server",
  "Tag",
  "SecurityScheme",
  "Operation",
  "Parameter",
  "RequestBody",
  "Response",
  "Header",
  "MediaType",
  "Schema",
] as const;
/** `Root` is the document itself. */
export type Holder = (typeof holders)[number] | "Root";

/** One key of the dialect. */
export interface Extension<Value = unknown> {
  readonly key: `x-${string}`;
  /** What the key means, in a sentence. */
  readonly says: string;
  readonly on: readonly Holder[];
  /** The schema of its value. */
  readonly schema: JsonSchema;
  /** The same in words, to complete the sentence "`x-timeout` must be …". */
  readonly mustBe: string;
  /** Reads the value of an object, or the default if it has none. An invalid value counts as absent. */
  read(holder: JsonObject): Value;
  /** The sentence that the site shows for a value; undefined if it shows none. */
  describe(value: Value): string | undefined;
  readonly changes: Changes;
}
