/** The type of a value in a few words: `array of TrajectoryGroup`, `string or null`. */
import { isObject, joinPointer, type JsonObject } from "@trainyard/core/validation";
import { locate, schemaName } from "@trainyard/document";
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
  const node = rawAt(root, pointer);
  if ("const" in node) return [{ literal: JSON.stringify(node["const"]) }];
  const kinds = kindsOf(node);
  if (kinds !== undefined) {
    const labels = kinds.map((_, index) => labelAt(root, joinPointer(pointer, kindKey(node), index)));
    return orOf(labels);
  }
  if (node["contentSchema"] !== undefined) {
    const kind = node["contentMediaType"] === "application/jsonl" ? "lines" : "events";
    return [`${kind}, each with `, ...labelAt(root, joinPointer(pointer, "contentSchema"))];
  }
  const types = [node["type"] ?? guess(node)].flat().map(String);
  return orOf(types.map((type) => typeLabel(root, pointer, node, type)));
}

/** The variants of a union. */
export function kindsOf(node: JsonObject): readonly unknown[] | undefined {
  const kinds = node[kindKey(node)];
  return Array.isArray(kinds) ? kinds : undefined;
}

/** The keyword under which a schema has its variants. */
export function kindKey(node: JsonObject): "oneOf" | "anyOf" {
  return "oneOf" in node ? "oneOf" : "anyOf";
}

function guess(node: JsonObject): string {
  return "properties" in node ? "object" : "items" in node ? "array" : "any value";
}

function typeLabel(root: object, pointer: string, node: JsonObject, type: string): Label {
  if (type === "array") {
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
