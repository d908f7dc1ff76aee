import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Scalar, type YAMLMap } from "yaml";

/** A workflow, as far as it can be read. Where its form is wrong, actionlint says so. */
export interface Workflow {
  readonly file: string;
  readonly root: YAMLMap;
  readonly jobs: readonly Job[];
  /** The line on which a part stands, counted from 1. */
  line(part: unknown): number;
}

/** A job of a workflow. */
export interface Job {
  readonly name: string;
  readonly map: YAMLMap;
  readonly steps: readonly YAMLMap[];
}

/** A member of a map; `undefined` where there is none, or no map. */
export function member(map: unknown, key: string): Node | undefined {
  const value: unknown = isMap(map) ? map.get(key, true) : undefined;
  return isNode(value) ? value : undefined;
}

/** The text of a member; "" where it is none. */
export function textOf(map: unknown, key: string): string {
  const value = member(map, key);
  return isScalar(value) ? scalarOf(value) : "";
}

/** The text of a value: of a number, a truth value or a text. */
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

/** The items of a list; one alone counts as a list of one. */
export function itemsOf(list: unknown): Node[] {
  if (isSeq(list)) return list.items.filter(isNode);
  return isScalar(list) && list.value !== null ? [list] : [];
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value);
}

/**
 * Reads a workflow.
 * @throws where it is no YAML, or no map
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
