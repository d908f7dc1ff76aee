import { foldChat, type ChatChunk } from "@trainyard/core/chat";
import { eventParser } from "@trainyard/core/events";
import { formatLoc, isObject, jsonTypeOf, memberAt, saysMore, type Loc } from "@trainyard/core/validation";
import {
  dialect,
  groupBy,
  jsonOf,
  locate,
  ownDescription,
  responseOf,
  type Media,
  combining,
} from "@trainyard/document";
import { sampleOf } from "@trainyard/host";
import { validatorOf } from "@trainyard/host/validator";
import { cut, parse } from "../text.ts";
import { ruleOf } from "./rules/rule.ts";
import { judgeRules } from "./rules/rules.ts";
import { isOurs, type Run } from "./run.ts";
import { basisOf, isBorrowed, pointerAt, visit, type Value } from "./schema-visitor.ts";
import type { Exchange } from "./wire.ts";

export function judgeJson(run: Run, exchange: Exchange, media: Media): void {
  const { operation, path, answer } = exchange;
  if (answer.json === undefined) {
    const seen = answer.text === "" ? "an empty body" : `a body that is not JSON, ${answer.text.length} characters`;
    return run.report(exchange, { pointer: media.pointer, says: "The body is JSON.", seen });
  }
  const { value } = answer.json;
  // A resource that is read by its id must have that id.
  const name = operation?.method === "GET" && isOurs(operation) ? /\{([^}]+)\}$/.exec(operation.path)?.[1] : undefined;
  const parameter = operation?.parameters.find((one) => one.in === "path" && one.name === name);
  const id = isObject(value) && answer.status === 200 && !answer.isExample ? value["id"] : undefined;
  if (parameter !== undefined && typeof id === "string" && id.toLowerCase() !== path[parameter.name]?.toLowerCase()) {
    const says = `\`${name}\`: ${parameter.description}`;
    const seen = `the id ${id} for ${path[parameter.name]}`;
    run.report(exchange, { pointer: parameter.pointer, says, seen, isAdopted: true });
  }
  if (media.schema !== undefined) judgeValue(run, exchange, media, media.schema.pointer, value);
}

export function judgeStream(run: Run, exchange: Exchange, media: Media): void {
  const { operation, answer } = exchange;
  const end = operation?.stream?.end ?? "";
  const { pointer } = media;
  const add = (says: string, seen: string) => run.report(exchange, { pointer, says, seen });
  const data = eventsOf(answer.text);
  const at = data.indexOf(end);
  const values = data.slice(0, at < 0 ? undefined : at).flatMap((one): unknown[] => {
    const value = parse(one);
    if (value !== undefined) return [value.value];
    add("The data of each event is JSON.", `an event of ${one.length} characters that is not JSON`);
    return [];
  });
  const items = values.filter((value) => !(isObject(value) && "error" in value));
  if (items.length < values.length)
    run.findings.notes.add(`${operation?.name}: the service ended a stream early, with an error.`);
  else if (at < 0) add(`A stream ends with \`${end}\`.`, `${data.length} events, and no \`${end}\``);
  const more = data.length - at - 1;
  if (at >= 0 && more > 0) add(`A stream ends with \`${end}\`.`, `${more} more after \`${end}\``);
  if (at === 0) add("A stream has events before its end.", `\`${end}\` alone`);
  if (media.item !== undefined) for (const item of items) judgeValue(run, exchange, media, media.item.pointer, item);
  const schema = operation && jsonOf(responseOf(operation, answer.status)?.content ?? new Map())?.schema;
  const whole = operation?.stream?.fold === "chat" ? fold(items) : undefined;
  if (whole === undefined || schema === undefined) return;
  const parts = visit(exchange.service.document.root, schema.pointer, whole);
  judgeRules(exchange, parts, run.state, (breach) => run.report(exchange, breach));
}

/** The response that chunks add up to; undefined if they do not, which other checks report. */
export function fold(chunks: readonly unknown[]): unknown {
  const folding = foldChat();
  try {
    // The chunks have been validated already.
    for (const chunk of chunks) folding.add(chunk as ChatChunk);
    return folding.value();
  } catch {
    return undefined;
  }
}

export function eventsOf(text: string): string[] {
  const parser = eventParser();
  return [...parser.push(new TextEncoder().encode(text)), ...parser.end()].map(({ data }) => data);
}

function judgeValue(run: Run, exchange: Exchange, media: Media, pointer: string, value: unknown): void {
  const { operation, answer, service } = exchange;
  if (operation === undefined) return;
  const { root } = service.document;
  const faults = validatorOf(root).answer(operation, answer.status, media.mediaType, value) ?? [];
  const values = visit(root, pointer, value);
  // A schema that permits nothing says nothing about the service.
  const impossible = faults.length > 0 ? sampleOf(root, locate(root, pointer)).faults : [];
  for (const fault of faults.filter((one) => !saysMore(one))) {
    if (impossible.some(({ loc }) => generalPath(loc) === generalPath(fault.loc))) {
      const why = "because no value was found that its schema permits";
      run.findings.notes.add(`${operation.name}: ${generalPath(fault.loc)} was not judged, ${why}.`);
      continue;
    }
    const [says, seen] = [`${generalPath(fault.loc)}: ${fault.msg}`, shown(values, fault.loc, value)];
    const at = pointerAt(values, fault.loc) ?? pointer;
    const isAdopted = isBorrowed(root, media.pointer, values, fault.loc);
    run.report(exchange, { pointer: at, says, seen, basis: basisOf(root, at, fault), isAdopted });
  }
  const certainty = "not declared";
  for (const { loc, name, schema } of undeclared(visit(root, pointer, value, true))) {
    const says = `${generalPath(loc)} has no property \`${name}\`.`;
    run.report(exchange, { pointer: schema, certainty, says, seen: `a property ${name}` });
  }
  for (const { loc, value: one, schema } of values) {
    const { enum: listed } = schema.node;
    if (!dialect.extensible.read(schema.node) || !Array.isArray(listed) || listed.includes(one)) continue;
    const says = `${generalPath(loc)} is one of ${listed.join(", ")}, and may get more values.`;
    run.report(exchange, { pointer: schema.pointer, certainty, says, seen: shown(values, loc, value) });
  }
  // An invalid value is not checked against the rules for valid ones.
  const broken = new Set(faults.map(({ loc }) => JSON.stringify(loc)));
  const sound = values.filter(({ loc }) => broken.size === 0 || !broken.has(JSON.stringify(loc)));
  judgeRules(exchange, sound, run.state, (breach) => run.report(exchange, breach));
}

/** Properties that no schema of their object declares, and no description in backticks, unless the object is open. */
function undeclared(values: readonly Value[]): { loc: Loc; name: string; schema: string }[] {
  const objects = groupBy(
    values.filter(({ value }) => isObject(value)),
    ({ loc }) => JSON.stringify(loc),
  );
  return [...objects.values()].flatMap((all) => {
    const nodes = all.map(({ schema }) => schema.node);
    const isOpen = all.some(({ schema: { node }, isOther }) => {
      const isUnion = combining.some((key) => key in node);
      if (ruleOf(node, "fault-more-properties")) return true;
      if (isOther && node["additionalProperties"] === false) return false;
      return "additionalProperties" in node || (!("properties" in node) && !(isUnion && all.length > 1));
    });
    const [first] = all;
    if (isOpen || first === undefined) return [];
    const { schema } = all.findLast((one) => "properties" in one.schema.node && !one.isOther) ?? first;
    const prose = nodes.map(ownDescription).join(" ");
    const names = new Set(
      nodes.flatMap(({ properties, required }) => [...Object.keys(Object(properties)), ...[required ?? []].flat()]),
    );
    return Object.keys(Object(first.value))
      .filter((name) => !names.has(name) && !prose.includes(`\`${name}\``))
      .map((name) => ({ loc: first.loc, name, schema: schema.pointer }));
  });
}

/** The start of a sentence about a location: "`data[].step`" for the step of any item, or "The body". */
function generalPath(loc: Loc): string {
  return loc.length === 0 ? "The body" : `\`${formatLoc(loc).replaceAll(/\[\d+\]/g, "[]")}\``;
}

function shown(values: readonly Value[], loc: Loc, value: unknown): string {
  const target = memberAt(value, loc);
  if (target === undefined) return `no \`${formatLoc(loc)}\``;
  const startOf = (one: Loc): string => JSON.stringify(one).slice(0, -1);
  // What is sensitive may be around the value, or within it.
  const isHidden = values.some(
    (one) => one.sensitive && (startOf(loc).startsWith(startOf(one.loc)) || startOf(one.loc).startsWith(startOf(loc))),
  );
  const type = jsonTypeOf(target);
  const kind = type === "null" ? type : type === "array" ? "a list" : `a value of type ${type}`;
  return `${formatLoc(loc) || "the body"}: ${isHidden ? `${kind} (sensitive)` : cut(JSON.stringify(target))}`;
}
