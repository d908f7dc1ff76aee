import type { Comparison, Pair } from "../comparison.ts";
import { text } from "../json.ts";
import { content, passage } from "./keys.ts";

/** Formats by the formats that include them: each value of the first is valid in the second. */
const wider: Readonly<Record<string, readonly string[]>> = {
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
};

/** Formats of OpenAPI that say how a text is encoded. */
const encodings: ReadonlySet<string> = new Set(["base64url", "binary", "byte"]);

/** Compares formats: some include others, and the rest cannot be ranked. */
export function compareFormat(comparison: Comparison, pair: Pair): void {
  const [before = "", now = ""] = [pair.base, pair.revision].map(({ value }) => text(value ?? ""));
  if (encodings.has(before) || encodings.has(now)) return content(comparison, pair, "format");
  const loosened = wider[before]?.includes(now) === true;
  const changed = loosened
    ? "limit-loosened"
    : wider[now]?.includes(before) === true
      ? "limit-tightened"
      : "rule-changed";
  passage("`format`", "rule-added", changed, "rule-removed")(comparison, pair, "format");
}
