import { isObject, jsonTypeOf, type JsonObject } from "@trainyard/core/validation";
import { groupBy } from "./group.ts";
import { locateIn, type Located } from "./locate.ts";
import { branchesOf } from "./schema/parts.ts";

/** What texts are converted to: the JSON types that a schema accepts, and those of its items and properties. */
export interface Shape {
  readonly schema: Located;
  /** The schemas of a property: one of each branch that has it. */
  readonly schemas: readonly Located[];
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
  const below = (schemas: readonly [Located, ...Located[]]): Shape => {
    const inner = schemas.at(-1) ?? schemas[0];
    return { ...(levels > 0 ? readShape(document, inner, levels - 1) : { ...anything, schema: inner }), schemas };
  };
  const list = branches.find(({ node }) => isObject(node["items"]));
  const named = branches.flatMap((branch) =>
    Object.keys(Object(branch.node["properties"])).map((name) => ({ name, branch })),
  );
  return {
    schema,
    schemas: [schema],
    types: new Set(branches.flatMap(({ node }) => typesIn(node))),
    items: list && below([locateIn(document, list, "items")]),
    properties: new Map(
      [...groupBy(named, ({ name }) => name)].map(([name, [first, ...others]]) => {
        const at = ({ branch }: typeof first) => locateIn(document, branch, "properties", name);
        return [name, below([at(first), ...others.map(at)])];
      }),
    ),
  };
}

const anything: Omit<Shape, "schema" | "schemas"> = { types: new Set(), items: undefined, properties: new Map() };

function typesIn({ type, const: only, enum: listed }: JsonObject): string[] {
  if (type !== undefined) return [type].flat().map(String);
  const values = only === undefined ? [listed ?? []].flat() : [only];
  return values.map(jsonTypeOf);
}

/** What a value may be: the values that branches of its schemas list, and the types of the other branches. */
export function kindsOf(
  document: object,
  ...schemas: readonly Located[]
): { readonly values: readonly unknown[]; readonly types: readonly string[] } {
  const nodes = branchesOf(document, schemas).map(({ node }) => node);
  const listsOf = ({ const: only, enum: listed }: JsonObject) => (only === undefined ? listed : [only]);
  return {
    values: [...new Set(nodes.flatMap((node) => listsOf(node) ?? []))],
    types: [...new Set(nodes.flatMap((node) => (listsOf(node) === undefined ? typesIn(node) : [])))],
  };
}
