import { Document, type Node, Scalar, isMap, isNode, isPair, isScalar, isSeq, parseDocument, visit } from "yaml";
import { Failure } from "../failure.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";

/** Lists that the documents write on one line. */
const inline = new Set(["required", "tags", "enum", "type", "loc", "apiKey", "accessToken", "basicKey"]);

/** A value as YAML in the style of the documents: long text folded, short lists on one line. */
export function toYaml(value: Json): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value: below }) {
      if (
        isSeq(below) &&
        isScalar(key) &&
        inline.has(String(key.value)) &&
        below.items.every((item) => isScalar(item))
      ) {
        below.flow = true;
      }
    },
    Scalar(_, node) {
      if (typeof node.value === "string" && node.value.length > 80) node.type = Scalar.BLOCK_FOLDED;
    },
  });
  return document.toString({ lineWidth: 120, flowCollectionPadding: false });
}

/** @throws {@link Failure} if a file does not contain a YAML object */
export function readYaml(text: string, file: string): JsonObject {
  const document = parseDocument(text);
  const value: unknown = document.errors.length > 0 ? undefined : document.toJS();
  if (!isObject(value)) throw new Failure(`${file} does not contain a YAML object. Fix it first.`);
  return value;
}

/**
 * Adds an entry to the map or list at a path, at its end or before the first entry that `before` selects. All other
 * text stays unchanged, including comments and line breaks.
 */
export function insertYaml(
  text: string,
  path: readonly string[],
  entry: string,
  before: (item: Json, key: string) => boolean = () => false,
): string {
  const found: unknown = parseDocument(text).getIn(path, true);
  if (!isMap(found) && !isSeq(found)) throw new Failure(`There is no ${path.join(".")} to add to.`);
  const items = (found.items as readonly unknown[]).flatMap((item) => {
    const [key, value] = isPair(item) ? [item.key, item.value] : [item, item];
    if (!isNode(key)) return [];
    const last = isNode(value) ? value : key;
    return [
      {
        start: key.range?.[0] ?? 0,
        end: last.range?.[2] ?? 0,
        value: toJson(last),
        key: isScalar(key) ? String(key.value) : "",
      },
    ];
  });
  const next = items.find(({ value, key }) => before(value, key));
  const last = items.at(-1);
  if (last === undefined) throw new Failure(`${path.join(".")} is empty. Write its first entry by hand.`);
  const lineOf = (offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;
  const indent = " ".repeat((items[0]?.start ?? 0) - lineOf(items[0]?.start ?? 0)).slice(isSeq(found) ? 2 : 0);
  const offset = next === undefined ? endOfLine(text, last.end) : lineOf(next.start);
  const lines = entry
    .trimEnd()
    .split("\n")
    .map((line) => `${indent}${line}\n`);
  return text.slice(0, offset) + lines.join("") + text.slice(offset);
}

function toJson(node: Node): Json {
  const value: unknown = node.toJSON();
  return isObject(value) ? value : null;
}

/** The offset after the last line of an entry. Blank lines and comments below it belong to what follows. */
function endOfLine(text: string, end: number): number {
  const written = text.slice(0, end).trimEnd().length;
  const at = text.indexOf("\n", written);
  return at < 0 ? text.length : at + 1;
}
