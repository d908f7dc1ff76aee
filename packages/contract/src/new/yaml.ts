import { type Json } from "@trainyard/document";
import { Document, Scalar, isMap, isScalar, isSeq, parseDocument, stringify, visit } from "yaml";
import { Failure } from "../failure.ts";
import { type JsonObject } from "../json.ts";
import { isObject } from "@trainyard/core/validation";

const style = { lineWidth: 120, flowCollectionPadding: false };

/** A value as YAML in the style of the documents: long text folded, lists of plain values on one line. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      list.flow = list.items.every((item) => isScalar(item));
    },
    Scalar(_, node) {
      if (typeof node.value === "string" && node.value.length > 80) node.type = Scalar.BLOCK_FOLDED;
    },
  });
  return document.toString(style);
}

/** A text as YAML, on one line. */
export function inYaml(value: string): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** @throws {@link Failure} if a file does not contain a YAML object */
export function readYaml(text: string, file: string): JsonObject {
  const document = parseDocument(text);
  const value: Json | undefined = document.errors.length > 0 ? undefined : document.toJS();
  if (!isObject(value)) throw new Failure(`${file} does not contain a YAML object. Fix it first.`);
  return value;
}

/** A file with one more entry in a map, at its end. Comments and the order of everything else stay. */
export function withEntry(text: string, path: readonly string[], value: Json): string {
  const document = parseDocument(text);
  document.setIn(path, document.createNode(value));
  const map = document.getIn(path.slice(0, 1));
  if (isMap(map)) map.flow = false;
  return document.toString(style);
}

/** A document with one more tag, in alphabetical order. */
export function withTag(text: string, name: string, description: string): string {
  const document = parseDocument(text);
  const tags = document.get("tags");
  if (!isSeq(tags)) throw new Failure("The document has no list of tags to add to.");
  const nameOf = (tag: unknown): string => (isMap(tag) ? String(tag.get("name")) : "");
  if (tags.items.some((tag) => nameOf(tag) === name)) return text;
  const next = tags.items.findIndex((tag) => nameOf(tag) > name);
  tags.items.splice(next < 0 ? tags.items.length : next, 0, document.createNode({ name, description }));
  tags.flow = false;
  return document.toString(style);
}
