import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar, type YAMLMap } from "yaml";

/** A workflow, as far as it can be read. actionlint reports errors in its form. */
export interface Workflow {
  readonly file: string;
  readonly root: YAMLMap;
  readonly jobs: readonly Job[];
  /** The line of a part, starting at 1. */
  line(part: unknown): number;
}

/** A job of a workflow. */
export interface Job {
  readonly name: string;
  readonly map: YAMLMap;
  readonly steps: readonly YAMLMap[];
}

/** A member of a map; `undefined` if there is none, or the value is not a map. */
export function member(map: unknown, key: string): Node | undefined {
  const value: unknown = isMap(map) ? map.get(key, true) : undefined;
  return isNode(value) ? value : undefined;
}

/** The text of a member; "" if it is not text. */
export function textOf(map: unknown, key: string): string {
  const value = member(map, key);
  return isScalar(value) ? scalarOf(value) : "";
}

/** The text of a scalar value: a number, a boolean or a string. */
export function scalarOf({ value }: Scalar): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? `${value}` : "";
}

/** The members of a map by name. */
export function entriesOf(map: unknown): [string, Node][] {
  if (!isMap(map)) return [];
  return map.items.flatMap(({ key, value }): [string, Node][] =>
    isScalar(key) && isNode(value) ? [[String(key.value), value]] : [],
  );
}

/** The items of a list; a single value counts as a list of one. */
export function itemsOf(list: unknown): Node[] {
  if (isSeq(list)) return list.items.filter(isNode);
  return isScalar(list) && list.value !== null ? [list] : [];
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value);
}

/**
 * Reads a workflow.
 * @throws Error if it is not valid YAML, or not a map
 */
export function readWorkflow(file: string, text: string): Workflow {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const root = document.contents;
  if (!isMap(root)) throw new Error(`${file} is no workflow: it has no members.`);
  return {
    file,
    root,
    jobs: entriesOf(member(root, "jobs")).flatMap(([name, map]) =>
      isMap(map) ? [{ name, map, steps: itemsOf(member(map, "steps")).filter((step) => isMap(step)) }] : [],
    ),
    line: (part) => (isNode(part) && part.range ? lines.linePos(part.range[0]).line : 1),
  };
}
