import { formatLoc, isObject, joinPointer, pointerTokens, type JsonObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import type { Breach } from "../findings.ts";
import type { Value } from "../schema-visitor.ts";
import { rules } from "./all.ts";
import { objectsIn, twiceIn, type Check, type Seen, type State } from "./rule.ts";

const rows = new Map(Object.entries(rules));
const withOffset = /[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The check of a rule for a response; undefined if it has none, or if only performed operations show it. */
function checkOf(id: string, seen: Seen): Check | undefined {
  const row = rows.get(id);
  if (typeof row === "function") return row;
  return row !== undefined && "performed" in row && !seen.answer.isExample ? row.performed : undefined;
}

/**
 * Checks the values of a response against the rules of their schemas. Whatever these are, times have an offset, and the items of
 * a list have different ids.
 */
export function judgeRules(seen: Seen, values: readonly Value[], state: State, report: (breach: Breach) => void): void {
  for (const { value, schema, loc } of values) {
    const { node, pointer } = schema;
    const judge = (holder: JsonObject, at: string, own: unknown, name?: string): void => {
      for (const { id, basis, text } of dialect.rules.read(holder)) {
        const check = checkOf(id, seen);
        if (check === undefined) continue;
        state.checked.add(`${seen.service.name} ${id}`);
        const found = check(own, isObject(value) ? value : {}, seen, state);
        if (found === undefined) continue;
        const key = JSON.stringify(name === undefined ? loc : [...loc, name]);
        const isHidden = values.some((one) => one.sensitive && JSON.stringify(one.loc) === key);
        const says = name === undefined ? text : `\`${name}\`: ${text}`;
        report({ pointer: at, basis, says, seen: isHidden ? "another value" : found });
      }
    };
    // The rules of a property are checked with the object that has it.
    if (pointerTokens(pointer).at(-2) !== "properties") judge(node, pointer, value);
    if (isObject(value))
      for (const [name, property] of Object.entries(Object(node["properties"])))
        if (isObject(property)) judge(property, joinPointer(pointer, "properties", name), value[name], name);
    const path = formatLoc(loc).replaceAll(/\[\d+\]/g, "[]");
    if (node["format"] === "date-time" && typeof value === "string" && !withOffset.test(value)) {
      const says = `\`${path}\`: a time in a response has an offset (RFC 3339), such as \`Z\`.`;
      report({ pointer, says, seen: value });
    }
    const twice = twiceIn(objectsIn(value).map(({ id }) => id));
    const says = `\`${path || "The list"}\`: each item has its own id.`;
    if (twice !== undefined) report({ pointer: joinPointer(pointer, "items"), says, seen: `${twice} occurs twice` });
  }
}
