import { formatLoc, isObject, joinPointer, pointerTokens, type JsonObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import type { Breach } from "../report.ts";
import type { Value } from "../schema-visitor.ts";
import { rules } from "./all.ts";
import { twiceIn, type Check, type Seen, type State } from "./rule.ts";

const rows = new Map(Object.entries(rules));
const withOffset = /[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The check of a rule for a response; undefined if it has none, or if only performed operations show it. */
function checkOf(id: string, seen: Seen): Check | undefined {
  const row = rows.get(id);
  if (typeof row === "function") return row;
  return row !== undefined && "performed" in row && !seen.answer.isExample ? row.performed : undefined;
}

/** Checks the values of a response against the rules of their schemas. */
export function judgeRules(seen: Seen, values: readonly Value[], state: State, report: (breach: Breach) => void): void {
  for (const { value, schema, loc } of values) {
    const judge = (node: JsonObject, pointer: string, own: unknown, name?: string): void => {
      for (const { id, basis, text } of dialect.rules.read(node)) {
        const check = checkOf(id, seen);
        if (check === undefined) continue;
        state.checked.add(`${seen.service.name} ${id}`);
        const found = check(own, isObject(value) ? value : {}, seen, state);
        if (found === undefined) continue;
        const key = JSON.stringify(name === undefined ? loc : [...loc, name]);
        const isHidden = values.some((one) => one.sensitive && JSON.stringify(one.loc) === key);
        const says = name === undefined ? text : `\`${name}\`: ${text}`;
        report({ pointer, basis, says, seen: isHidden ? "another value" : found });
      }
    };
    const { properties } = schema.node;
    // The rules of a property are checked with the object that has it.
    if (pointerTokens(schema.pointer).at(-2) !== "properties") judge(schema.node, schema.pointer, value);
    for (const [name, node] of Object.entries(isObject(value) && isObject(properties) ? properties : {}))
      if (isObject(node) && isObject(value))
        judge(node, joinPointer(schema.pointer, "properties", name), value[name], name);
    judgeForm({ value, schema, loc }, report);
  }
}

/** Checks values whatever their rules: times have an offset, and the items of a list have different ids. */
function judgeForm(
  { value, schema: { node, pointer }, loc }: Pick<Value, "value" | "schema" | "loc">,
  report: (breach: Breach) => void,
): void {
  const path = formatLoc(loc).replaceAll(/\[\d+\]/g, "[]");
  if (node["format"] === "date-time" && typeof value === "string" && !withOffset.test(value)) {
    const says = `\`${path}\`: a time in a response has an offset (RFC 3339), such as \`Z\`.`;
    report({ pointer, says, seen: value });
  }
  const twice = Array.isArray(value) ? twiceIn(value.filter(isObject).map((item) => item["id"])) : undefined;
  if (twice !== undefined) {
    const says = `\`${path || "The list"}\`: each item has its own id.`;
    report({ pointer: joinPointer(pointer, "items"), says, seen: `${twice} occurs twice` });
  }
}
