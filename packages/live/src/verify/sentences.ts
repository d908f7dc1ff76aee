import { isObject, joinPointer, type JsonObject, type Loc } from "@trainyard/core/validation";
import { dialect, ownDescription, type Located } from "@trainyard/document";
import { rules } from "./rules/all.ts";
import { judgeForm } from "./rules/forms.ts";
import type { Breach } from "./report.ts";
import type { Value } from "./walk.ts";
import type { Exchange } from "./wire.ts";

/** A rule that a schema's description states in a sentence, as a function that checks it. */
export interface Sentence {
  /** The component that the rule is about: `ChatCompletionUsage`. */
  readonly schema: string;
  /** The property with the sentence in its description or rules. Default: the schema itself. */
  readonly property?: string;
  /** A part of the sentence, word for word. The rule applies only while the document has this text. */
  readonly text: string;
  /** Whether it applies only to operations that were performed, and not to the examples of a mock. */
  readonly performed?: boolean;
  /** What was seen instead; undefined if the value keeps the rule. */
  readonly breach: (value: JsonObject, exchange: Exchange) => string | undefined;
}

/** Checks the values of a response against the rules in the descriptions of their schemas. */
export function judgeSentences(exchange: Exchange, values: readonly Value[], report: (breach: Breach) => void): void {
  for (const one of values) {
    judgeForm(one, report);
    if (one.name === undefined || !isObject(one.value)) continue;
    for (const sentence of rules.get(one.name) ?? []) {
      if (sentence.performed === true && exchange.answer.isExample) continue;
      const found = sourceOf(one.schema, sentence);
      if (found === undefined) continue;
      const seen = sentence.breach(one.value, exchange);
      if (seen !== undefined) report({ ...found, seen: isHidden(values, one.loc, sentence) ? "another value" : seen });
    }
  }
}

/** The location of the sentence, and the whole sentence; undefined if the document does not have it. */
export function sourceOf(schema: Located, { property, text }: Sentence): { pointer: string; says: string } | undefined {
  const properties = schema.node["properties"];
  const node = property === undefined ? schema.node : isObject(properties) ? properties[property] : undefined;
  if (!isObject(node)) return undefined;
  const sentences = [ownDescription(node), ...dialect.rules.read(node).map((rule) => rule.text)];
  const whole = sentences.find((one) => one.includes(text));
  if (whole === undefined) return undefined;
  const pointer = property === undefined ? schema.pointer : joinPointer(schema.pointer, "properties", property);
  const name = property === undefined ? "" : `\`${property}\`: `;
  return { pointer, says: name + sentenceAround(whole, whole.indexOf(text), text.length) };
}

/** The whole sentences that contain a part of a text. */
function sentenceAround(text: string, start: number, length: number): string {
  const before = text.slice(0, start).search(/[^.]*$/);
  const rest = text.slice(start + length);
  const end = text.slice(start, start + length).endsWith(".") ? 0 : rest.search(/\.(\s|$)/) + 1;
  return text.slice(before, start + length + Math.max(0, end)).trim();
}

function isHidden(values: readonly Value[], loc: Loc, { property }: Sentence): boolean {
  const at = JSON.stringify(property === undefined ? loc : [...loc, property]);
  return values.some((one) => one.sensitive && JSON.stringify(one.loc) === at);
}
