import { isObject, joinPointer, type JsonObject, type Loc } from "@trainyard/core/validation";
import { dialect, ownDescription, type Located } from "@trainyard/document";
import { rules } from "./rules/all.ts";
import { judgeForm } from "./rules/forms.ts";
import type { Breach } from "./report.ts";
import type { Value } from "./walk.ts";
import type { Exchange } from "./wire.ts";

/** What a sentence of a schema says, as a program can hold it. */
export interface Sentence {
  /** The component that it speaks of: `ChatCompletionUsage`. */
  readonly schema: string;
  /** The property that has the sentence in its description or rules; that of the schema itself where it is left out. */
  readonly property?: string;
  /** A part of the sentence, word for word. Where a document no longer says it, nothing is judged by it. */
  readonly text: string;
  /** Whether it only holds for what was performed, and not for an example that a mock shows. */
  readonly performed?: boolean;
  /** What was seen instead; undefined where it holds. */
  readonly breach: (value: JsonObject, exchange: Exchange) => string | undefined;
}

/** Holds the values of an answer against the sentences that stand beside their schemas. */
export function judgeSentences(exchange: Exchange, met: readonly Value[], report: (breach: Breach) => void): void {
  for (const one of met) {
    judgeForm(one, report);
    if (one.name === undefined || !isObject(one.value)) continue;
    for (const sentence of rules.get(one.name) ?? []) {
      if (sentence.performed === true && exchange.answer.isExample) continue;
      const found = sourceOf(one.schema, sentence);
      if (found === undefined) continue;
      const seen = sentence.breach(one.value, exchange);
      if (seen !== undefined) report({ ...found, seen: isHidden(met, one.loc, sentence) ? "another value" : seen });
    }
  }
}

/** Where the sentence stands, and the sentence whole; undefined where the document does not say it. */
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

/** The whole sentence, or sentences, in which a part of a text stands. */
function sentenceAround(text: string, start: number, length: number): string {
  const before = text.slice(0, start).search(/[^.]*$/);
  const rest = text.slice(start + length);
  const end = text.slice(start, start + length).endsWith(".") ? 0 : rest.search(/\.(\s|$)/) + 1;
  return text.slice(before, start + length + Math.max(0, end)).trim();
}

function isHidden(met: readonly Value[], loc: Loc, { property }: Sentence): boolean {
  const at = JSON.stringify(property === undefined ? loc : [...loc, property]);
  return met.some((one) => one.sensitive && JSON.stringify(one.loc) === at);
}
