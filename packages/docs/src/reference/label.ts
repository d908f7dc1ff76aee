/** The type of a value in a few words: `array of TrajectoryGroup`, `string or null`. */
import { isObject, joinPointer, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { locate, locateIn, schemaName, together, unions, type Located } from "@trainyard/document";
import { rawAt } from "./node.ts";

/** A part of a label: text, or the name of a schema, which a page links. */
export type LabelPart = string | { readonly schema: string } | { readonly literal: string };
export type Label = readonly LabelPart[];

/** The label of the schema at a pointer. */
export function labelAt(root: object, pointer: string): Label {
  const place = locate(root, pointer);
  const name = schemaName(place.pointer);
  return name === undefined ? labelOf(root, place.pointer) : [{ schema: name }];
}

/** The label of a schema on its own page, where its name would say nothing new. */
export function labelOf(root: object, pointer: string): Label {
  const parts = together([{ node: rawAt(root, pointer), pointer }], (from, ...keys) => locateIn(root, from, ...keys));
  const telling = parts.find(({ node }) => ["const", ...unions, "contentSchema", "type"].some((key) => key in node));
  const { node, pointer: at } = telling ?? parts.find((part) => guess(part.node) !== anything) ?? { node: {}, pointer };
  if ("const" in node) return [{ literal: JSON.stringify(node["const"]) }];
  const [union] = unionsOf(node);
  if (union !== undefined) return unionLabel(root, { node, pointer: joinPointer(at, union) });
  if (node["contentSchema"] !== undefined) {
    const kind = node["contentMediaType"] === "application/jsonl" ? "lines" : "events";
    return [`${kind}, each with `, ...labelAt(root, joinPointer(at, "contentSchema"))];
  }
  const types = [node["type"] ?? guess(node)].flat().map(String);
  return orOf(types.map((type) => typeLabel(root, at, node, type)));
}

/** The keywords under which a schema has variants. */
export function unionsOf(node: JsonObject): ("oneOf" | "anyOf")[] {
  return unions.filter((key) => Array.isArray(node[key]));
}

/** The variants at the pointer of a union. */
export function unionLabel(root: object, { pointer }: Located): Label {
  const variants = [resolvePointer(root, pointer)].flat();
  return orOf(variants.map((_, index) => labelAt(root, joinPointer(pointer, index))));
}

const anything = "any value";

function guess(node: JsonObject): string {
  return "properties" in node ? "object" : "items" in node || "prefixItems" in node ? "array" : anything;
}

function typeLabel(root: object, pointer: string, node: JsonObject, type: string): Label {
  if (type === "array") {
    const { prefixItems: places, items } = node;
    if (Array.isArray(places)) {
      const rest = isObject(items) ? [["...", ...labelAt(root, joinPointer(pointer, "items"))]] : [];
      const all = [...places.map((_, index) => labelAt(root, joinPointer(pointer, "prefixItems", index))), ...rest];
      return ["[", ...all.flatMap((label, index) => (index > 0 ? [", ", ...label] : label)), "]"];
    }
    return "items" in node ? ["array of ", ...labelAt(root, joinPointer(pointer, "items"))] : ["array"];
  }
  const isMap = isObject(node["additionalProperties"]) && !("properties" in node);
  if (type !== "object" || !isMap) return [type];
  return ["{ [name]: ", ...labelAt(root, joinPointer(pointer, "additionalProperties")), " }"];
}

/** `a, b or null`: each name occurs once, and null is last. */
function orOf(labels: readonly Label[]): Label {
  const all = [...new Map(labels.map((label) => [JSON.stringify(label), label])).values()].toSorted(
    (a, b) => Number(isNull(a)) - Number(isNull(b)),
  );
  return all.flatMap((label, index) => {
    const between = index === 0 ? [] : [index === all.length - 1 ? " or " : ", "];
    return [...between, ...label];
  });
}

function isNull(label: Label): boolean {
  return label.length === 1 && label[0] === "null";
}

/** A label as text without links. */
export function labelText(label: Label): string {
  return label
    .map((part) => (typeof part === "string" ? part : "schema" in part ? part.schema : part.literal))
    .join("");
}
