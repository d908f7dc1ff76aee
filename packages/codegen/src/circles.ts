import { posix } from "node:path";
import { pointerTokens } from "@trainyard/core/validation";
import { subschemas } from "@trainyard/document";
import { isMap, isScalar, parseDocument } from "yaml";
import { nameOf, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";
import { locate } from "./locate.ts";
import type { Problem } from "./problem.ts";
import { reach, readTree } from "./tree.ts";

/** Keywords whose schemas apply to the same value as the schema that contains them. */
const sameValue = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);

/** Finds the component schemas that contain themselves without a property or an item between. Each circle is one problem. */
export function schemaCircles(root: string, service: string, document: OpenApiDocument): Problem[] {
  const schemas = schemasOf(document);
  const done = new Set<string>();
  const visitSchema = (name: string, path: readonly Reference[]): Problem[] => {
    const start = path.findIndex(({ from }) => from === name);
    if (start >= 0) {
      const names = [...path.slice(start).map(({ from }) => from), name].join(" → ");
      const at = locate(root, service, ["components", "schemas", ...(path[start]?.pointer ?? [])], "reference");
      const message = `${name} contains itself: ${names}. No value can be validated.`;
      return [{ ...at, message, cure: "Remove one of these references, or write it below `properties` or `items`." }];
    }
    if (done.has(name)) return [];
    const found = referencesOf(schemas[name] ?? {}, [name]).flatMap(({ to, pointer }) =>
      visitSchema(to, [...path, { from: name, pointer }]),
    );
    done.add(name);
    return found;
  };
  return Object.keys(schemas).flatMap((name) => visitSchema(name, []));
}

interface Reference {
  readonly from: string;
  readonly pointer: readonly string[];
}

/** The components that apply to the same value as a schema, with the locations of the references. */
function referencesOf(schema: Schema, pointer: readonly string[]): { to: string; pointer: readonly string[] }[] {
  const to = nameOf(schema);
  const below = subschemas(schema).filter(({ keys: [keyword = ""] }) => sameValue.has(String(keyword)));
  return [
    ...(to === undefined ? [] : [{ to, pointer }]),
    ...below.flatMap((child) => referencesOf(child.schema, [...pointer, ...child.keys.map(String)])),
  ];
}

/** Finds `$ref`s of a service's files that lead back to themselves, which Redocly reports without a place. */
export function referenceCircle(root: string, service: string): Problem | undefined {
  const tree = readTree(root);
  const documents = new Map(
    [...reach(tree, service)].map((file) => [file, parseDocument(tree.get(file) ?? "")] as const),
  );
  const resolve = (from: string, target: string): string => {
    const [file, fragment] = target.split("#");
    const place = file ? posix.join(posix.dirname(from), file) : from;
    return fragment ? `${place}#${fragment}` : place;
  };
  // The `$ref` directly at a place: `openapi/atlas/schemas/Map.yaml`, or with a fragment.
  const referenceAt = (place: string) => {
    const [file = "", fragment = ""] = place.split("#");
    const node = documents.get(file)?.getIn(pointerTokens(`#${fragment}`), true);
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === "$ref") : undefined;
    if (!isScalar(pair?.key) || !isScalar(pair.value)) return undefined;
    const line = tree.get(file)?.slice(0, pair.key.range?.[0]).split("\n").length ?? 1;
    return { file, line, next: resolve(file, String(pair.value.value)) };
  };
  for (const file of documents.keys()) {
    for (const [, target = ""] of tree.get(file)?.matchAll(/\$ref["']?: *["']?([^\s"',}]+)/g) ?? []) {
      const places: string[] = [];
      for (let place: string | undefined = resolve(file, target); place; place = referenceAt(place)?.next) {
        const start = places.indexOf(place);
        places.push(place);
        if (start < 0) continue;
        const { file = place, line } = referenceAt(place) ?? {};
        const message = `These $refs lead in a circle: ${places.slice(start).join(" → ")}.`;
        return { file, ...(line && { line }), message, cure: "Write the value itself in one of these places." };
      }
    }
  }
  return undefined;
}
