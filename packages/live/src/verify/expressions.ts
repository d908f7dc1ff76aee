import { parse, textOf } from "../text.ts";
import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import type { Answer } from "./wire.ts";

export interface Scope {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly steps: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly answer?: Answer;
}

/** A flow refers to a value that does not exist, such as an output of a step that did not run. */
export class Missing extends Error {
  override readonly name = "Missing";
}

/** The value of a runtime expression of Arazzo: `$response.body#/id`, `$steps.create.outputs.id`, `$inputs.key`. */
export function evaluate(expression: string, { inputs, steps, answer }: Scope): unknown {
  const [, source = "", rest = ""] = /^\$(inputs|steps|response|statusCode)\b[.#]?(.*)$/s.exec(expression) ?? [];
  if (source === "statusCode") return answer?.status;
  if (source === "inputs") return inputs[rest];
  if (source === "steps") {
    const [, step = "", name = ""] = /^([^.]+)\.outputs\.(.+)$/.exec(rest) ?? [];
    return steps.get(step)?.[name];
  }
  if (rest.startsWith("header.")) return answer?.headers.get(rest.slice("header.".length)) ?? undefined;
  if (rest === "body") return answer?.json?.value ?? answer?.text;
  const [, pointer] = /^body#(.*)$/s.exec(rest) ?? [];
  if (source !== "response" || pointer === undefined)
    throw new Error(`A flow has an unknown expression: ${expression}`);
  return resolvePointer(answer?.json?.value, `#${pointer}`);
}

export function fill(value: unknown, scope: Scope): unknown {
  const required = (expression: string): unknown => {
    const found = evaluate(expression, scope);
    if (found === undefined) throw new Missing(expression);
    return found;
  };
  if (typeof value === "string") {
    if (/^\$[a-z]/.test(value)) return required(value);
    return value.replaceAll(/\{(\$[^}]+)\}/g, (_, expression: string) => String(required(expression)));
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, scope));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, scope)]));
}

/** Whether a condition of a flow holds, as Arazzo writes it: simple, or a regular expression over a context. */
export function holds(criterion: JsonObject, scope: Scope): boolean {
  const [condition, context] = [textOf(criterion["condition"]), textOf(criterion["context"])];
  if (criterion["type"] === "regex") {
    const whole = context === "$response.body" ? scope.answer?.text : undefined;
    return new RegExp(condition).test(textOf(whole ?? evaluate(context, scope)));
  }
  return condition.split("||").some((one) => one.split("&&").every((part) => compare(part.trim(), scope)));
}

function compare(text: string, scope: Scope): boolean {
  const [, left = "", operator = "", right = ""] = /^(\S+)\s*(==|!=|>=|<=|>|<)\s*(.+)$/s.exec(text) ?? [];
  const [a = null, b = null] = [left, right.trim()].map((operand) => {
    const [, quoted] = /^'(.*)'$/s.exec(operand) ?? [];
    return (
      quoted ?? (operand.startsWith("$") ? evaluate(operand, scope) : (parse(operand) ?? { value: operand }).value)
    );
  });
  const [x, y] = [Number(a ?? Number.NaN), Number(b ?? Number.NaN)];
  const results = new Map(
    Object.entries({ "==": a === b, "!=": a !== b, ">": x > y, ">=": x >= y, "<": x < y, "<=": x <= y }),
  );
  const found = results.get(operator);
  if (found === undefined) throw new Error(`A flow has an unknown condition: ${text}`);
  return found;
}
