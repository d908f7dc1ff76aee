import { formatLoc, isObject, joinPointer, pointerTokens, type JsonObject } from "@trainyard/core/validation";
import { dialect, rulesIn } from "@trainyard/document";
import type { RuleCheck } from "@trainyard/host";
import { ruleIds, type RuleId } from "../../generated/rules.ts";
import type { Breach } from "../findings.ts";
import type { Run } from "../run.ts";
import { visit, type Value } from "../schema-visitor.ts";
import { auxiliary } from "./auxiliary.ts";
import { hasOffset, objectsIn, State, twiceIn, type Check, type Row, type Seen } from "./rule.ts";
import { training } from "./training.ts";

/** How each rule of the documents is checked, or why it is not. The compiler names an id without a row. */
const rows = new Map<string, Row>(Object.entries({ ...auxiliary, ...training } satisfies Record<RuleId, Row>));

/** The check of a rule for a response; undefined if it has none, or if only performed operations show it. */
function checkOf(id: string, seen: Seen): Check | undefined {
  const row = rows.get(id);
  if (typeof row === "function") return row;
  return row !== undefined && "performed" in row && !seen.answer.isExample ? row.performed : undefined;
}

/** Checks the rules of schemas. Whatever these are, times have an offset, and the items of a list of ours different ids. */
export function judgeRules(seen: Seen, values: readonly Value[], state: State, report: (breach: Breach) => void): void {
  for (const { value, schema, loc } of values) {
    const { node, pointer } = schema;
    const judge = (holder: JsonObject, at: string, own: unknown, name?: string): void => {
      for (const { id, basis, text } of dialect.rules.read(holder)) {
        const check = checkOf(id, seen);
        if (check === undefined) continue;
        const found = check(own, isObject(value) ? value : {}, seen, state);
        // An object without the property shows only that a check which misses it fails.
        if (own !== undefined || found !== undefined) state.checked.add(`${seen.service.name} ${id}`);
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
    // Where the contract says so by a rule, its check reports it.
    const isRule = dialect.rules.read(node).some(({ id }) => id.endsWith("-offset"));
    if (node["format"] === "date-time" && typeof value === "string" && !hasOffset(value) && !isRule) {
      const says = `\`${path}\`: a time in a response has an offset (RFC 3339), such as \`Z\`.`;
      report({ pointer, says, seen: value });
    }
    if (seen.operation?.basis === undefined) continue;
    const twice = twiceIn(objectsIn(value).map(({ id }) => id));
    const says = `\`${path || "The list"}\`: each item has its own id.`;
    if (twice !== undefined) report({ pointer: joinPointer(pointer, "items"), says, seen: `${twice} occurs twice` });
  }
}

/** The checks of `trainyard verify` for each response of a server. It remembers what they need of earlier responses. */
export function ruleCheck(): RuleCheck {
  const state = new State();
  return ({ service, root, operation, asked, status, schema, value, text }) => {
    const problems: string[] = [];
    const seen: Seen = {
      service: { name: service },
      operation,
      body: asked.value,
      path: asked.params,
      sent: { url: asked.url },
      answer: { status, isExample: false, text },
    };
    const add = ({ says, seen: found }: Breach) => void problems.push(`${says} Seen: ${found}`);
    judgeRules(seen, visit(root, schema, value), state, add);
    return problems;
  };
}

export interface Coverage {
  readonly checked: number;
  readonly unchecked: readonly { readonly service: string; readonly id: string; readonly why: string }[];
}

const known = new Map<string, readonly string[]>(Object.entries(ruleIds));

/** Which rules of the documents a run checked. A document with none of ours is somebody else's. */
export function coverageOf(run: Run): Coverage {
  const all = run.services.flatMap(({ name: service, document }) => {
    const own = new Set(rulesIn(document.root).map(({ id }) => id));
    const isOurs = [...own].some((id) => rows.has(id));
    const expected = isOurs ? (known.get(service) ?? [...rows.keys()]) : [];
    const missing = expected.filter((id) => !own.has(id) && !("unchecked" in (rows.get(id) ?? {})));
    return [
      ...[...own].filter((id) => id !== "").map((id) => ({ service, id, why: reasonOf(run, service, id) })),
      ...missing.map((id) => ({ service, id, why: "the document has no such rule" })),
    ];
  });
  const unchecked = all.flatMap(({ why, ...rule }) => (why === undefined ? [] : { ...rule, why }));
  return { checked: all.length - unchecked.length, unchecked };
}

function reasonOf({ state, options }: Run, service: string, id: string): string | undefined {
  const row = rows.get(id);
  if (row === undefined) return "there is no check for it";
  if ("unchecked" in row) return row.unchecked;
  if (!("tried" in row)) return state.checked.has(`${service} ${id}`) ? undefined : "no response had its value";
  if ([...state.checked].some((one) => one.startsWith(`${service} ${row.tried}`))) return undefined;
  return row.tried.startsWith("flow ") && options.write === undefined ? "needs --write" : "the run did not try it";
}
