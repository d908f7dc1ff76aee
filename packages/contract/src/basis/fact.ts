import { locate } from "@trainyard/codegen/locate";
import type { FilePlace } from "../service-report.ts";
import { type Document, methods } from "../document.ts";
import { type Json, isObject } from "../json.ts";
import { place } from "../place.ts";
import { join, tokens } from "../pointer.ts";

/** Where a fact can come from, the least certain first. */
export const bases = ["proposed", "adopted", "interface"] as const;
export type Basis = (typeof bases)[number];

/** What a fact is about, in the order of a report. */
export const subjects = [
  "document",
  "operation",
  "schema",
  "parameter",
  "request",
  "response",
  "header",
  "property",
  "security",
  "media type",
] as const;
export type Subject = (typeof subjects)[number];

/** A place of the contract that says where it comes from. What stands below shares it, down to the next such place. */
export interface Fact {
  readonly service: string;
  readonly basis: Basis;
  readonly subject: Subject;
  /** In words: `Model.run_id`. */
  readonly place: string;
  readonly at: FilePlace;
}

/** Every fact of a document, in its order. `root` is the folder whose files it was made of. */
export function facts(root: string, document: Document): Fact[] {
  return marks(document.root).map(({ pointer, basis }): Fact => {
    const { file, line } = locate(root, document.service, tokens(join(pointer, "x-basis")), "reference");
    return {
      service: document.service,
      basis,
      subject: subject(pointer),
      place: place(document, pointer),
      at: { file, ...(line === undefined ? {} : { line }) },
    };
  });
}

interface Mark {
  readonly pointer: string;
  readonly basis: Basis;
}

function marks(value: Json, pointer: string = ""): Mark[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => marks(item, join(pointer, index)));
  if (!isObject(value)) return [];
  const basis = bases.find((one) => one === value["x-basis"]);
  const below = Object.entries(value).flatMap(([key, item]) => (isExample(key) ? [] : marks(item, join(pointer, key))));
  return basis === undefined ? below : [{ pointer, basis }, ...below];
}

/** What stands in an example is data, whatever its keys are called. */
function isExample(key: string): boolean {
  return key === "example" || key === "examples";
}

function subject(pointer: string): Subject {
  const path = tokens(pointer);
  const [section, kind] = path;
  const last = path.at(-2);
  if (section === "info") return "document";
  if (section === "paths" && path.length === 3 && methods.some((method) => method === path[2])) return "operation";
  if (section === "components" && kind === "schemas" && path.length === 3) return "schema";
  if (kind === "securitySchemes") return "security";
  if (path.at(-1) === "requestBody") return "request";
  if (last === "parameters") return "parameter";
  if (last === "responses") return "response";
  if (last === "headers") return "header";
  return path.includes("properties") || path.includes("schemas") ? "property" : "media type";
}
