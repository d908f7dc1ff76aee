import { formatLoc, isObject, saysMore, type Loc } from "@trainyard/core/validation";
import { dialect, ownDescription, type Media } from "@trainyard/document";
import type { RuleId } from "../generated/rules.ts";
import { cut } from "../text.ts";
import { readEvents } from "./events.ts";
import { judgeRules } from "./rules/judge-rules.ts";
import type { Run } from "./run.ts";
import { pointerAt, visit, type Value } from "./schema-visitor.ts";
import type { Exchange } from "./wire.ts";

/** Checks a body that is JSON. */
export function judgeJson(run: Run, exchange: Exchange, media: Media): void {
  const { answer } = exchange;
  if (answer.json === undefined) {
    run.report(exchange, {
      pointer: media.pointer,
      says: "The body is JSON.",
      seen: answer.text === "" ? "an empty body" : `a body that is not JSON, ${answer.text.length} characters`,
    });
    return;
  }
  judgePathId(run, exchange);
  if (media.schema !== undefined) judgeValue(run, exchange, media, media.schema.pointer, answer.json.value);
}

/** A resource that is read by its id must have that id. */
function judgePathId(run: Run, exchange: Exchange): void {
  const { operation, path, answer } = exchange;
  const name = operation?.method === "GET" ? /\{([^}]+)\}$/.exec(operation.path)?.[1] : undefined;
  const value = answer.json?.value;
  if (operation === undefined || name === undefined || answer.status !== 200 || answer.isExample || !isObject(value))
    return;
  const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
  const { id } = value;
  if (typeof id !== "string" || id.toLowerCase() === path[name]?.toLowerCase()) return;
  run.report(exchange, {
    pointer: parameter?.pointer ?? operation.pointer,
    says: `\`${name}\`: ${parameter?.description ?? "the id of the resource."}`,
    seen: `the id ${id} for ${path[name]}`,
  });
}

/** Checks the events of a stream. */
export function judgeStream(run: Run, exchange: Exchange, media: Media): void {
  for (const event of readEvents(exchange, media, run.findings)) {
    if (media.item !== undefined && event !== undefined) judgeValue(run, exchange, media, media.item.pointer, event);
  }
}

/** Checks a value against its schema: required and undeclared properties, and the rules of its description. */
function judgeValue(run: Run, exchange: Exchange, media: Media, pointer: string, value: unknown): void {
  const validator = run.validator(exchange.service);
  const { operation, answer, service } = exchange;
  if (operation === undefined) return;
  const { root } = service.document;
  const faults = validator.answer(operation, answer.status, media.mediaType, value) ?? [];
  const values = visit({ root, validator }, pointer, value);
  for (const fault of faults) {
    if (saysMore(fault)) continue;
    const at = pointerAt(root, values, fault.loc) ?? pointer;
    run.report(exchange, {
      pointer: at,
      says: `${generalPath(fault.loc)}: ${fault.msg}`,
      seen: shown(values, fault.loc, value),
    });
  }
  for (const { loc, name, schema } of undeclared(values)) {
    run.report(exchange, {
      pointer: schema,
      certainty: "not declared",
      says: `${generalPath(loc)} has no property \`${name}\`.`,
      seen: `a property ${name}`,
    });
  }
  for (const { loc, value: one, schema } of values) {
    const { enum: listed } = schema.node;
    if (!dialect.extensible.read(schema.node) || !Array.isArray(listed) || listed.includes(one)) continue;
    const says = `${generalPath(loc)} is one of ${listed.join(", ")}, and may get more values.`;
    const { pointer: at } = schema;
    run.report(exchange, { pointer: at, certainty: "not declared", says, seen: shown(values, loc, value) });
  }
  // An invalid value is not checked against the rules for valid ones.
  const broken = new Set(faults.map(({ loc }) => JSON.stringify(loc)));
  const sound = broken.size === 0 ? values : values.filter(({ loc }) => !broken.has(JSON.stringify(loc)));
  judgeRules(exchange, sound, run.state, (breach) => run.report(exchange, breach));
}

/** The rule which says that a schema is open. */
const permitsMore: RuleId = "fault-more-properties";

/**
 * Properties that no schema of their object declares, unless the object is open. Names in backticks in its description count
 * as declared.
 */
function undeclared(values: readonly Value[]): { loc: Loc; name: string; schema: string }[] {
  const objects = new Map<string, Value[]>();
  for (const one of values) {
    if (!isObject(one.value)) continue;
    const key = JSON.stringify(one.loc);
    objects.set(key, [...(objects.get(key) ?? []), one]);
  }
  return [...objects.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || !isObject(first.value)) return [];
    const isOpen = all.some(({ schema: { node } }) => {
      const isUnion = "oneOf" in node || "anyOf" in node || "allOf" in node;
      if (dialect.rules.read(node).some(({ id }) => id === permitsMore)) return true;
      return "additionalProperties" in node || (!("properties" in node) && !(isUnion && all.length > 1));
    });
    if (isOpen) return [];
    const schema = all.findLast(({ schema: { node } }) => "properties" in node)?.schema ?? first.schema;
    const prose = all.map((one) => ownDescription(one.schema.node)).join(" ");
    const names = new Set(
      all.flatMap(({ schema: { node } }) => Object.keys(isObject(node["properties"]) ? node["properties"] : {})),
    );
    return Object.keys(first.value)
      .filter((name) => !names.has(name) && !prose.includes(`\`${name}\``))
      .map((name) => ({ loc: first.loc, name, schema: schema.pointer }));
  });
}

/** The start of a sentence about a location: "`data[].step`" for the step of any item, or "The body". */
function generalPath(loc: Loc): string {
  return loc.length === 0 ? "The body" : `\`${formatLoc(loc).replaceAll(/\[\d+\]/g, "[]")}\``;
}

/** The value at a location, unless it is sensitive. */
function shown(values: readonly Value[], loc: Loc, value: unknown): string {
  let target: unknown = value;
  for (const step of loc) {
    if (Array.isArray(target)) target = target[Number(step)];
    else if (isObject(target) && Object.hasOwn(target, step)) target = target[step];
    else return `no \`${formatLoc(loc)}\``;
  }
  const key = JSON.stringify(loc);
  const isHidden = values.some((one) => one.sensitive && key.startsWith(JSON.stringify(one.loc).slice(0, -1)));
  const hidesMore = values.some((one) => one.sensitive && JSON.stringify(one.loc).startsWith(key.slice(0, -1)));
  if (isHidden || hidesMore) return `${formatLoc(loc) || "the body"}: ${kindOf(target)} (sensitive)`;
  return `${formatLoc(loc) || "the body"}: ${cut(JSON.stringify(target) ?? "nothing")}`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
