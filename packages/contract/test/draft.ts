import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../src/change.ts";
import { httpMethods, type Json } from "@trainyard/document";
import { Document } from "../src/document.ts";
import { type JsonObject } from "../src/json.ts";
import { operationName } from "../src/location.ts";
import { isObject, joinPointer, pointerTokens as tokens } from "@trainyard/core/validation";
import { parse } from "yaml";

const here = join(import.meta.dirname, "..");
const texts = new Map<string, string>();

function read(file: string): JsonObject {
  const text = texts.get(file) ?? readFileSync(file, "utf8");
  texts.set(file, text);
  const value: Json = JSON.parse(text);
  if (!isObject(value)) throw new Error(`${file} is no object.`);
  return value;
}

/**
 * The bundle of a service as it was at version 1.0.0, read anew: its caller may change it. What is said of a change to it
 * holds, however the contract goes on.
 */
function fixed(service: string): JsonObject {
  return read(join(here, `fixtures/1.0.0/${service}.json`));
}

/** The bundle of a service as it is now, read anew. */
export function bundle(service: string): JsonObject {
  return read(join(here, `../${service}/src/generated/openapi.json`));
}

const documents = new Map<string, Document>();

/** The document of version 1.0.0, to compare with. Nobody changes it. */
export function baseOf(service: string): Document {
  const document = documents.get(service) ?? new Document(service, fixed(service));
  documents.set(service, document);
  return document;
}

/** A bundle to be edited. Paths begin with a method (`models.create/x-resend`), a schema, or `/` for the whole. */
export class Draft {
  readonly document: Document;

  constructor(service: string, root: JsonObject = fixed(service)) {
    this.document = new Document(service, root);
  }

  get(path: string): Json {
    const { value } = this.document.at(this.pointer(path));
    if (value === undefined) throw new Error(`${this.document.service} has nothing at ${path}.`);
    return value;
  }

  object(path: string): JsonObject {
    const value = this.get(path);
    if (!isObject(value)) throw new Error(`${path} is no object.`);
    return value;
  }

  list(path: string): Json[] {
    const value = this.get(path);
    if (!Array.isArray(value)) throw new Error(`${path} is no list.`);
    return value;
  }

  /** Sets a value, which may be new; its parent may not. */
  set(path: string, value: Json): void {
    const [parent, key] = this.#parent(path);
    if (Array.isArray(parent)) parent[Number(key)] = value;
    else parent[key] = value;
  }

  remove(path: string): void {
    this.get(path);
    const [parent, key] = this.#parent(path);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }

  /** Removes a value from a list. */
  take(path: string, value: Json): void {
    const all = this.list(path);
    if (!all.includes(value)) throw new Error(`${path} does not list ${JSON.stringify(value)}.`);
    all.splice(all.indexOf(value), 1);
  }

  /** Makes an edit in words, of which {@link tableOf} says the form. */
  edit(words: string): void {
    const [, verb, path = "", rest = ""] = /^(\w+) (\S+) ?(.*)$/.exec(words) ?? [];
    if (verb === "set") this.set(path, parse(rest));
    else if (verb === "add") this.list(path).push(parse(rest));
    else if (verb === "take") this.take(path, parse(rest));
    else if (verb === "remove") this.remove(path);
    else if (verb === "copy") this.set(rest, structuredClone(this.get(path)));
    else if (verb === "reverse") this.list(path).reverse();
    else if (verb === "rename") {
      const value = this.get(path);
      const [parent] = this.#parent(path);
      this.remove(path);
      Object.assign(parent, { [rest]: value });
    } else throw new Error(`"${words}" is no edit.`);
  }

  #parent(path: string): [Json[] | JsonObject, string] {
    const keys = tokens(this.pointer(path));
    const key = keys.pop() ?? "";
    const { value } = this.document.at(joinPointer("", ...keys));
    if (!Array.isArray(value) && !isObject(value)) throw new Error(`${this.document.service} has no ${path}.`);
    return [value, key];
  }

  pointer(path: string): string {
    if (path.startsWith("/")) return path;
    const [name = "", ...rest] = path.split("/");
    const within = rest.length === 0 ? "" : `/${rest.join("/")}`;
    for (const [template, item] of Object.entries(this.object("/paths"))) {
      for (const method of httpMethods) {
        if (!isObject(item) || item[method] === undefined) continue;
        if (operationName(this.document, template, method) === name)
          return joinPointer("/paths", template, method) + within;
      }
    }
    return joinPointer("/components/schemas", name) + within;
  }
}

/** Changes as a table of cases writes them. */
export function summary(changes: readonly Change[]): string[] {
  return changes
    .map(
      ({ verdict, kind, place, effects }) =>
        `${verdict} ${kind} ${place} ${[...new Set(effects.map(({ role }) => role))].join(" ")}`,
    )
    .sort();
}

/** A row of a table of changes. */
export interface TableRow {
  readonly of: string;
  readonly name: string;
  readonly cells: readonly string[];
  readonly lines: readonly string[];
}

/**
 * Reads a table of changes. A row is `of: name | cell | cell`, and below it, indented, further cells and what changes: a
 * schema before and `→` after, or one edit of a document a line. `set PATH VALUE`, `remove PATH`, `rename PATH KEY`,
 * `copy PATH PATH`, and of a list `add PATH VALUE`, `take PATH VALUE` and `reverse PATH`. Values are YAML.
 */
export function tableOf(table: string): TableRow[] {
  return table
    .trim()
    .split(/\n(?=\S)/)
    .map((row) => {
      const [head = "", ...below] = row.split(/\n */);
      const [first = "", ...cells] = [head, ...below.filter((line) => line.startsWith("| "))].join(" ").split(" | ");
      const [of = "", ...name] = first.split(": ");
      return { of, name: name.join(": "), cells, lines: below.filter((line) => !line.startsWith("| ")) };
    });
}
