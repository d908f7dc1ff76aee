import { pointerTokens } from "@trainyard/core/validation";
import { referredName, sameValue, subschemas } from "../index.ts";
import { schemasOf, type OpenApiDocument, type Schema } from "./document.ts";
import type { Locator } from "./locate.ts";
import type { Problem } from "./problem.ts";

/** Finds the component schemas that contain themselves without a property or an item between. */
export function schemaCircles(locator: Locator, source: string, document: OpenApiDocument): Problem[] {
  const done = new Set<string>();
  // A path is the pointers of the references that led here, each from another component.
  const enter = (name: string, schema: Schema | undefined, path: readonly string[][]): Problem[] => {
    const start = path.findIndex(([, , from]) => from === name);
    if (start >= 0) {
      const names = [...path.slice(start).map(([, , from]) => from), name].join(" → ");
      const message = `${name} contains itself: ${names}. No value can be validated.`;
      const cure = "Remove one of these references, or write it below `properties` or `items`.";
      return [{ ...locator.locate(source, path[start] ?? [], "reference"), message, cure }];
    }
    if (done.has(name) || schema === undefined) return [];
    const found = search(schema, pointerTokens(`#/components/schemas/${name}`), path);
    done.add(name);
    return found;
  };
  const schemas = schemasOf(document);
  const search = (schema: Schema, pointer: string[], path: readonly string[][]): Problem[] => {
    const name = referredName(schema);
    const below = subschemas(schema).filter(({ keys: [keyword] }) => sameValue.has(keyword));
    const found = below.flatMap((child) => search(child.schema, [...pointer, ...child.keys.map(String)], path));
    return name === undefined ? found : [...found, ...enter(name, schemas[name], [...path, pointer])];
  };
  return Object.entries(schemas).flatMap(([name, schema]) => enter(name, schema, []));
}
