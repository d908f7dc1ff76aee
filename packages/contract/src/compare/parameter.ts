import {
  type DocumentNode,
  absent,
  child,
  items,
  type Json,
  same,
  types as typesOf,
  schemaView,
} from "@trainyard/document";
import type { Comparison, Pair } from "../comparison.ts";
import { type Document } from "../document.ts";
import { canonical, text } from "../json.ts";
import { isObject, joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";
import { compareContent } from "./content.ts";
import { type Rules, became, compareKeys, followed, isOneSided, renamesOf, truth } from "./keys.ts";
import { annotations } from "./annotations.ts";
import { compareSchema } from "./schema.ts";

/** A parameter by its source and name, `query limit`, with its location. */
export type Parameters = ReadonlyMap<string, DocumentNode>;

/** The parameters of an operation, including those of its path. A path parameter is identified by its position. */
export function parameters(document: Document, path: DocumentNode, operation: DocumentNode): Parameters {
  const found = new Map<string, DocumentNode>();
  const turns = [...(tokens(path.pointer).at(-1) ?? "").matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const owner of [path, operation]) {
    for (const node of items(document.at(join(owner.pointer, "parameters")))) {
      const { value } = document.follow(node);
      if (!isObject(value)) continue;
      const [where, name] = [text(value["in"]), text(value["name"])];
      const identity = where === "path" ? turns.indexOf(name) : where === "header" ? name.toLowerCase() : name;
      found.set(`${where} ${identity}`, node);
    }
  }
  return found;
}

/** The default style of a value, by the source of the parameter. */
const styles: Readonly<Record<string, string>> = { query: "form", cookie: "form", path: "simple", header: "simple" };

/** Values of these types have the same form, exploded or not. */
const scalars = new Set(["string", "number", "integer", "boolean"]);

/** Compares how a value is serialized, with defaults applied. */
const serialized: Rules[string] = (comparison, pair, key) => {
  const of = (document: Document, node: DocumentNode): Json => {
    if (node.value !== undefined && key !== "explode") return node.value;
    const owner = document.at(join("", ...tokens(node.pointer).slice(0, -1)));
    const style = child(owner, "style").value ?? styles[text(child(owner, "in").value ?? "header")] ?? "simple";
    if (key === "style") return style;
    if (key !== "explode") return false;
    const schema = child(owner, "schema");
    const types = schema.value === undefined ? undefined : typesOf(schemaView(document.root, schema).keys);
    if (types?.every((type) => scalars.has(type)) === true) return "either";
    return node.value ?? style === "form";
  };
  const alike = same(of(comparison.base, pair.base), of(comparison.revision, pair.revision));
  comparison.report(alike ? "rewritten" : "parameter-serialized", pair, became(pair, `\`${key}\``));
};

/** Rules for the serialization of a parameter or header. */
export const writing: Rules = {
  style: serialized,
  explode: serialized,
  allowReserved: serialized,
  allowEmptyValue: serialized,
};

const rules: Rules = {
  ...annotations,
  ...writing,
  name: (comparison, pair) => {
    // Header names ignore case.
    const alike = text(pair.base.value).toLowerCase() === text(pair.revision.value).toLowerCase();
    comparison.report(alike ? "rewritten" : "path-parameter-renamed", pair, became(pair, "The name"));
  },
  required: truth("parameter-required", "parameter-optional", "required"),
};

/** The source and the name of a parameter. */
function named({ value }: DocumentNode): string {
  return isObject(value) ? `${text(value["in"])} parameter \`${text(value["name"])}\`` : "parameter";
}

/** Reports path parameters whose names were in the path before, in another place. */
function compareTurns(comparison: Comparison, before: Parameters, now: Parameters): void {
  const isInPath = ([name]: readonly [string, DocumentNode]): boolean => name.startsWith("path ");
  const old = new Map([...before].filter(isInPath).map(([turn, node]) => [named(comparison.base.follow(node)), turn]));
  for (const [turn, node] of [...now].filter(isInPath)) {
    const [base, revision] = [before.get(turn), comparison.revision.follow(node)];
    const was = old.get(named(revision));
    if (base === undefined || was === undefined || was === turn) continue;
    const what = `The ${named(revision)} is now in the place of the ${named(comparison.base.follow(base))}.`;
    comparison.report("path-parameter-moved", { base, revision }, what);
  }
}

/** Compares a parameter or header that both sides have: its keywords, and its values. */
export function compareValue(comparison: Comparison, pair: Pair, keywords: Rules): void {
  const skip = ["in"];
  const [was, is] = [pair.base, pair.revision].map((node) => child(node, "content").value !== undefined);
  if (was !== is) {
    // Within a media type the value is written as JSON, in quotes.
    const what = "It is serialized by other rules: a `schema` and a `content` differ.";
    comparison.report("parameter-serialized", pair, what);
    skip.push("schema", "content");
  }
  compareKeys(comparison, pair, { rules: keywords, into: { schema: compareSchema, content: compareContent }, skip });
}

export function compareParameters(comparison: Comparison, before: Parameters, now: Parameters, nowhere: Pair): void {
  const renamed = renames(comparison, before, now);
  compareTurns(comparison, before, now);
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const base = before.get(name) ?? absent(nowhere.base);
    const revision = now.get(renamed.get(name) ?? name) ?? absent(nowhere.revision);
    if (base.value === undefined && [...renamed.values()].includes(name)) continue;
    const isNew = base.value === undefined;
    const target = isNew ? comparison.revision.follow(revision) : comparison.base.follow(base);
    const required = child(target, "required").value === true;
    const called = `${isNew ? (required ? "required " : "optional ") : ""}${named(target)}`;
    const added = required ? "parameter-added-required" : "parameter-added";
    if (isOneSided(comparison, { base, revision }, called, added, "parameter-removed")) continue;
    followed(comparison, { base, revision }, (pair) => {
      const what = `The ${named(pair.base)} was renamed to \`${text(child(pair.revision, "name").value)}\`.`;
      if (renamed.has(name)) comparison.report("parameter-renamed", pair, what);
      else compareValue(comparison, pair, rules);
    });
  }
}

/** Renamed parameters: they are in the same place, with the same schema. */
function renames(comparison: Comparison, before: Parameters, now: Parameters): ReadonlyMap<string, string> {
  const forms = (document: Document, all: Parameters): Map<string, string> =>
    new Map(
      [...all].map(([name, node]) => {
        const { value } = document.follow(node);
        const kept = ["in", "required", "schema", "content"].map((key) => (isObject(value) ? value[key] : undefined));
        return [name, canonical(kept.map((one) => one ?? null))];
      }),
    );
  return renamesOf(forms(comparison.base, before), forms(comparison.revision, now));
}
