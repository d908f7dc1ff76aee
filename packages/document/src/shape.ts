import { isObject, jsonTypeOf, type JsonObject } from "@trainyard/core/validation";
import { locateIn, type Located } from "./locate.ts";
import { branchesOf } from "./schema/parts.ts";

/** What texts are converted to: the JSON types that a schema accepts, and those of its items and properties. */
export interface Shape {
  readonly schema: Located;
  /** Of all branches of the schema. Empty if it accepts any. */
  readonly types: ReadonlySet<string>;
  readonly items: Shape | undefined;
  readonly properties: ReadonlyMap<string, Shape>;
}

const shapes = new WeakMap<JsonObject, Shape>();

/** The shape of a schema, down to the items of its properties. */
export function shapeOf(document: object, schema: Located): Shape {
  const existing = shapes.get(schema.node);
  if (existing !== undefined) return existing;
  const made = readShape(document, schema, 2);
  shapes.set(schema.node, made);
  return made;
}

function readShape(document: object, schema: Located, levels: number): Shape {
  const branches = branchesOf(document, [schema]);
  const below = (holder: Located, ...keys: string[]): Shape => {
    const inner = locateIn(document, holder, ...keys);
    return levels > 0 ? readShape(document, inner, levels - 1) : { ...anything, schema: inner };
  };
  const list = branches.find(({ node }) => isObject(node["items"]));
  return {
    schema,
    types: new Set(branches.flatMap(({ node }) => typesIn(node))),
    items: list && below(list, "items"),
    properties: new Map(
      branches.flatMap((branch) =>
        Object.keys(Object(branch.node["properties"])).map(
          (name) => [name, below(branch, "properties", name)] as const,
        ),
      ),
    ),
  };
}

const anything: Omit<Shape, "schema"> = { types: new Set(), items: undefined, properties: new Map() };

function typesIn({ type, const: only, enum: listed }: JsonObject): string[] {
  if (type !== undefined) return [type].flat().map(String);
  const values = only === undefined ? [listed ?? []].flat() : [only];
  return values.map(jsonTypeOf);
}

/** What a value may be: the values that branches of its schema list, and the types of the other branches. */
export function kindsOf(
  document: object,
  schema: Located,
): { readonly values: readonly unknown[]; readonly types: readonly string[] } {
  const nodes = branchesOf(document, [schema]).map(({ node }) => node);
  const listsOf = ({ const: only, enum: listed }: JsonObject) => (only === undefined ? listed : [only]);
  return {
    values: [...new Set(nodes.flatMap((node) => listsOf(node) ?? []))],
    types: [...new Set(nodes.flatMap((node) => (listsOf(node) === undefined ? typesIn(node) : [])))],
  };
}
