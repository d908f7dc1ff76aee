import type { Comparison, Pair } from "../comparison.ts";
import { text } from "../json.ts";
import { became, content } from "./keys.ts";

/** Formats by the formats that include them: each value of the first is valid in the second. */
const wider: Readonly<Record<string, readonly string[]>> = {
  int32: ["int64"],
  float: ["double"],
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
};

/** Formats without an effect beside the type: JSON has one kind of number, and a password is any string. */
const plain: ReadonlySet<string> = new Set(["int64", "float", "double", "password"]);

/** Formats of OpenAPI that say how a text is encoded. */
const encodings: ReadonlySet<string> = new Set(["base64url", "binary", "byte"]);

/** Compares formats: some include others, some have no effect, and the rest cannot be ranked. */
export function compareFormat(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => text(value ?? ""));
  const what = became(pair, "`format`");
  const free = (format: string | undefined): boolean => format === undefined || format === "" || plain.has(format);
  if (before === undefined || now === undefined) return;
  if (encodings.has(before) || encodings.has(now)) return content(comparison, pair, "format");
  const loosened = (wider[before] ?? []).includes(now) || (free(now) && before !== "");
  const tightened = (wider[now] ?? []).includes(before) || (free(before) && now !== "");
  if (free(before) && free(now)) comparison.report("rewritten", pair, what);
  else if (pair.base.value === undefined) comparison.report("rule-added", pair, what);
  else if (pair.revision.value === undefined) comparison.report("rule-removed", pair, what);
  else comparison.report(loosened ? "limit-loosened" : tightened ? "limit-tightened" : "rule-changed", pair, what);
}
