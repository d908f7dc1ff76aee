import { child, combining, reach, reference, references } from "@trainyard/document";
import type { Change, Effect } from "../change.ts";
import { kindsOfOmission } from "../kinds.ts";
import { type Document } from "../document.ts";
import { text } from "../json.ts";
import { memberAt, joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import type { Locations, ServiceUses } from "./uses.ts";

/** The locations in a program that a change breaks. `base` is the document that the program was written against. */
export function affected(base: Document, change: Change, uses: ServiceUses): string[] {
  const locations = change.effects
    .filter(({ verdict }) => verdict === "breaking")
    .flatMap((effect) => brokenLocations(base, change, effect, uses));
  return [...new Set(locations)];
}

function brokenLocations(base: Document, change: Change, effect: Effect, uses: ServiceUses): string[] {
  const calls = effect.operations.flatMap((name) => uses.operations[name] ?? []);
  if (effect.role === "import") return [...(uses.types[tokens(change.base).at(-1) ?? ""] ?? [])];
  if (calls.length === 0 || effect.role === "call") return calls;
  const fields = effect.role === "send" ? uses.sent : uses.read;
  const subject = subjectOf(base, change, effect.role);
  if (subject === undefined) return calls;
  if (subject.query !== undefined) {
    const found = effect.operations.flatMap((operation) => fields[`${operation} query ${subject.query}`] ?? []);
    if (!kindsOfOmission.has(change.kind)) return found;
    return found.length === 0 ? calls : [];
  }
  const [schema = "", ...path] = subject.field;
  if (effect.role === "send" && kindsOfOmission.has(change.kind)) {
    const owner = [schema, ...path.slice(0, -1)].join(".");
    const around = below(fields, [owner]);
    return around.length > 0 && below(fields, [subject.field.join(".")]).length === 0 ? around : [];
  }
  const names = path.length === 0 ? variants(base, schema) : [subject.field.join(".")];
  return below(fields, names);
}

/** The uses of fields with one of these names, or below them. */
function below(fields: Locations, names: readonly string[]): string[] {
  return Object.entries(fields).flatMap(([field, locations]) =>
    names.some((name) => field === name || field.startsWith(`${name}.`)) ? locations : [],
  );
}

interface Subject {
  /** A schema, and the properties within it. */
  readonly field: readonly string[];
  /** The name of a parameter of the query. */
  readonly query?: string;
}

/** What in a program is affected by a change; undefined if every caller is. */
function subjectOf(base: Document, change: Change, role: Effect["role"]): Subject | undefined {
  // An omission concerns the added property or its default, not the location of the change.
  const isOmission = role === "send" && kindsOfOmission.has(change.kind);
  const pointer = isOmission ? change.base.replace(/\/default$/, "") : change.subject;
  const path = tokens(pointer);
  const end = parameterEnd(path);
  if (end !== undefined) {
    const node = base.at(join("", ...path.slice(0, end)));
    const value = node.value === undefined ? undefined : base.follow(node).value;
    // Every caller passes path parameters, and a header may be filled by an option.
    return memberAt(value, ["in"]) === "query" ? { field: [], query: text(memberAt(value, ["name"])) } : undefined;
  }
  // A removed variant concerns only programs that use it, not those that use the others.
  const target = reference(base.at(pointer).value);
  if (target !== undefined && /\/(one|any)Of\/\d+$/.test(pointer)) return { field: [tokens(target).at(-1) ?? ""] };
  const [components, schemas, name = ""] = path;
  if (components !== "components" || schemas !== "schemas") return undefined;
  return { field: [name, ...path.filter((_, index) => index > 3 && path[index - 1] === "properties")] };
}

/** The end of the pointer to a parameter, if the path leads into one. */
function parameterEnd(path: readonly string[]): number | undefined {
  const at = path[0] === "components" ? 1 : path[2] === "parameters" ? 2 : 3;
  return path[at] === "parameters" && path.length > at + 1 ? at + 2 : undefined;
}

/** A schema, those that its unions contain, and those that they contain. */
function variants(base: Document, schema: string): string[] {
  return reach([schema], (name) => {
    const node = base.at(join("/components/schemas", name));
    const targets = combining.flatMap((key) => references(child(node, key).value));
    return targets.map((target) => tokens(target).at(-1) ?? "");
  });
}
