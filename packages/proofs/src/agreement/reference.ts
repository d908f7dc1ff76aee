/** What the reference of a document lists as required. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@trainyard/release/workspace";
import type { Subject } from "./subject.ts";
import type { Tally } from "./tally.ts";
import { listOf, mapOf, targetOf, type Schema, type Schemas } from "./node.ts";

interface Shape {
  readonly fields: readonly { readonly name: string; readonly isRequired: boolean }[];
}
interface Module {
  readonly Shapes: new (root: object) => { at(pointer: string, id: string): Shape };
}

// The site's own modules are no package of others.
const { Shapes }: Module = await import(pathToFileURL(join(root, "packages/docs/src/reference/shape.ts")).href);

/** Keywords that the reference refuses to show, and that say nothing of which properties there are. */
const untold = new Set(["not", "if", "then", "else", "dependentRequired"]);

/** Looks in the reference for the declared properties that each object of a component has. */
export function compareReference(tally: Tally, { name: document, root: read, schemas }: Subject): void {
  const shown: object = JSON.parse(JSON.stringify(read), (key, value) => (untold.has(key) ? undefined : value));
  for (const [name, schema] of Object.entries(schemas)) {
    const add = (what: string, says: string) =>
      tally.differences.push({ kind: "reference", document, schema: name, what, says });
    try {
      const { fields } = new Shapes(shown).at(`#/components/schemas/${name}`, name);
      const marked = new Set(fields.filter(({ isRequired }) => isRequired).map((field) => field.name));
      for (const one of requiredIn(Object(schema), schemas)) if (!marked.has(one)) add(one, "is not shown as required");
    } catch (error) {
      add("no page", String(error));
    }
  }
}

function requiredIn(schema: Schema, schemas: Schemas): string[] {
  const whole = together(schema, schemas);
  const declared = new Set(whole.flatMap((one) => mapOf(one, "properties").map(([property]) => property)));
  const required = new Set(whole.flatMap((one) => [one["required"] ?? []].flat().map(String)));
  return [...required].filter((one) => declared.has(one));
}

/** A schema, and those that hold together with it. */
function together(schema: Schema, schemas: Schemas): Schema[] {
  const target = targetOf(schema);
  const others = [...listOf(schema, "allOf"), ...(target === undefined ? [] : [Object(schemas[target])])];
  return [schema, ...others.flatMap((one) => together(one, schemas))];
}
