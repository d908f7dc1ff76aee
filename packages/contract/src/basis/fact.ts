import { type FileLocation, Locator, sourceOf } from "@trainyard/document/files";
import { type Basis, dialect, httpMethods, objectsIn } from "@trainyard/document";
import { type Document } from "../document.ts";
import { describeLocation } from "../location.ts";
import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";

/** The subjects of facts, in the order of a report, each with the pointers that lead to it. The first that fits applies. */
const pointers = {
  document: ([section]) => section === "info",
  operation: ([section, , method, ...below]) =>
    section === "paths" && httpMethods.some((one) => one === method) && below.length === 0,
  // Of an object, not at a pointer.
  rule: () => false,
  schema: ([section, kind, ...below]) => section === "components" && kind === "schemas" && below.length === 1,
  parameter: (path) => path.at(-2) === "parameters",
  request: (path) => path.at(-1) === "requestBody",
  response: (path) => path.at(-2) === "responses",
  header: (path) => path.at(-2) === "headers",
  property: (path) => path.includes("properties") || path.includes("schemas"),
  security: ([, kind]) => kind === "securitySchemes",
  "media type": () => true,
} satisfies Record<string, (path: readonly string[]) => boolean>;

export type Subject = keyof typeof pointers;
export const subjects = Object.keys(pointers) as readonly Subject[];

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
      ...(basis === undefined ? [] : [fact({ basis, subject: subjectAt(pointer) }, dialect.basis.key)]),
      ...rules.map((rule, index) => fact({ ...rule, subject: "rule" }, dialect.rules.key, index)),
    ];
  });
}

function subjectAt(pointer: string): Subject {
  return subjects.find((one) => pointers[one](tokens(pointer))) ?? "media type";
}
