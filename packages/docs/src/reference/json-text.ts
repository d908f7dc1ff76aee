/** Examples as text: JSON with short lists on one line, which makes pages shorter. */
import { isObject } from "@trainyard/core/validation";
import type { Html } from "./html.ts";
import { html } from "./html.ts";

const width = 76;

/** A value as JSON. Lists of simple values, and small objects, are on one line if they fit. */
export function jsonText(value: unknown, indent = ""): string {
  const flat = flatText(value);
  const isSmall = indent.length + flat.length <= (isObject(value) ? width - 20 : width);
  if (isSmall || (!Array.isArray(value) && !isObject(value))) return flat;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => deeper + jsonText(one, deeper)).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([key, one]) => `${deeper}${JSON.stringify(key)}: ${jsonText(one, deeper)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function flatText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatText).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${flatText(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** JSON with a class for keys, for strings and for other values. */
export function colored(json: string): Html {
  const token = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
  let end = 0;
  const parts: Html[] = [];
  for (const match of json.matchAll(token)) {
    const [text, string, colon] = match;
    const kind = string === undefined ? "n" : colon === undefined ? "s" : "k";
    parts.push(html`${json.slice(end, match.index)}<i class="${kind}">${text}</i>`);
    end = match.index + text.length;
  }
  return html`${parts}${json.slice(end)}`;
}
