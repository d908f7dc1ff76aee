import { createHash } from "node:crypto";
import { isObject } from "@trainyard/core/validation";
import type { Json } from "@trainyard/document";

export interface JsonObject {
  [key: string]: Json;
}

/** JSON with sorted keys: equal text for equal values. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "undefined";
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/** A value as text: a string unchanged, anything else as JSON. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A short form of a value for a sentence: a code span, which differs for different values. */
export function brief(value: Json | undefined): string {
  if (value === undefined) return "`nothing`";
  const whole = JSON.stringify(value);
  const digest = createHash("sha256").update(canonical(value)).digest("hex").slice(0, 8);
  return `\`${(whole.length > 60 ? `${whole.slice(0, 49)}… ${digest}` : whole).replaceAll("`", "'")}\``;
}
