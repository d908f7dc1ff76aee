import { hash } from "node:crypto";
import { memberAt } from "@trainyard/core/validation";

/** A JSON number as it was written: `1.0` and `1` are different contents. */
class Literal {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * The hash of a content: JSON with sorted keys, `", "` and `": "` as separators, and every non-ASCII character
 * escaped; SHA-256 in URL-safe base64 without padding, `-` as `X` and `_` as `Y`.
 *
 * @param json a JSON text
 * @param path the members that lead to the content; the whole text by default
 */
export function contentHash(json: string, ...path: string[]): string {
  const all: unknown = JSON.parse(json, (_key: string, item: unknown, context?: { source?: string }) =>
    typeof item === "number" ? new Literal(context?.source ?? String(item)) : item,
  );
  const value = memberAt(all, path);
  return hash("sha256", canonical(value), "base64url").replaceAll("-", "X").replaceAll("_", "Y");
}

function canonical(value: unknown): string {
  if (value instanceof Literal) return canonicalNumber(value.source);
  if (typeof value === "string") return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b));
  return `{${entries.map(([key, item]) => `${canonicalString(key)}: ${canonical(item)}`).join(", ")}}`;
}

function canonicalString(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Integers with all their digits; other numbers in the shortest form that reads back the same, with at least one
 * decimal.
 */
function canonicalNumber(source: string): string {
  if (/^-?\d+$/.test(source)) return BigInt(source).toString();
  const value = Number(source);
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= 16)) {
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const plain =
    power < 0 ? value.toFixed(Math.min(100, digits.replaceAll(/[-.]/g, "").length - 1 - power)) : String(value);
  const signed = Object.is(value, -0) ? "-0" : plain;
  return signed.includes(".") ? signed : `${signed}.0`;
}

/** Surrogate pairs sort after every other character, as in the order of code points. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
