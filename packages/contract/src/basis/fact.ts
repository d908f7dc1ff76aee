import { type FileLocation, Locator, sourceOf } from "@trainyard/document/files";
import { type Basis, dialect, httpMethods, objectsIn } from "@trainyard/document";
import { type Document } from "../document.ts";
import { describeLocation } from "../location.ts";
import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";

/** The subjects of facts, in the order of a report. */
export const subjects = [
  "document",
  "operation",
  "rule",
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

/** A location of the contract that states its basis. Everything below shares it, down to the next such location. */
export interface Fact {
  readonly service: string;
  readonly basis: Basis;
  readonly subject: Subject;
  /** In words: `Model.run_id`. */
  readonly place: string;
  /** The sentence of a rule. */
  readonly text?: string;
  readonly at: FileLocation;
}

/** Every fact of a document, in order. `root` is the folder with the source files. */
export function facts(root: string, document: Document): Fact[] {
  const locator = new Locator(root);
  return objectsIn(document.root, "").flatMap(({ node, pointer }): Fact[] => {
    const fact = (own: Pick<Fact, "basis" | "subject" | "text">, ...keys: (string | number)[]): Fact => {
      const { column: _, ...at } = locator.locate(
        sourceOf(document.service),
        tokens(join(pointer, ...keys)),
        "reference",
      );
      return { service: document.service, ...own, place: describeLocation(document, pointer), at };
    };
    const [basis, rules] = [dialect.basis.read(node), dialect.rules.read(node)];
    return [
      ...(basis === undefined ? [] : [fact({ basis, subject: subject(pointer) }, dialect.basis.key)]),
      ...rules.map((rule, index) => fact({ ...rule, subject: "rule" }, dialect.rules.key, index)),
    ];
  });
}

function subject(pointer: string): Subject {
  const path = tokens(pointer);
  const [section, kind] = path;
  const last = path.at(-2);
  if (section === "info") return "document";
  if (section === "paths" && path.length === 3 && httpMethods.some((method) => method === path[2])) return "operation";
  if (section === "components" && kind === "schemas" && path.length === 3) return "schema";
  if (kind === "securitySchemes") return "security";
  if (path.at(-1) === "requestBody") return "request";
  if (last === "parameters") return "parameter";
  if (last === "responses") return "response";
  if (last === "headers") return "header";
  return path.includes("properties") || path.includes("schemas") ? "property" : "media type";
}
