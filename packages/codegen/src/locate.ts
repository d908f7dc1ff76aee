import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { joinPointer, pointerTokens } from "@trainyard/core/validation";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";

export interface FileLocation {
  /** Relative to the root of the repository, with `/`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Finds the source location of a value of a bundle: follows its path through the `$ref`s of the service's files, as far as
 * it exists. For a value that is a `$ref`, returns its target or, with `reference`, the reference. For messages only,
 * because it reads the files anew each time.
 */
export function locate(
  root: string,
  service: string,
  pointer: readonly string[],
  end: "definition" | "reference" = "definition",
): FileLocation {
  const [section, kind, name, ...rest] = pointer;
  if (section === "components" && kind !== undefined && name !== undefined) {
    const file = componentFile(root, service, kind, name);
    if (file !== undefined) return walk(root, file, rest, end);
  }
  return walk(root, `openapi/${service}/openapi.yaml`, pointer, end);
}

/** Components are named after their files. The service's own folder takes precedence over shared ones. */
function componentFile(root: string, service: string, kind: string, name: string): string | undefined {
  for (const owner of [service, "common"]) {
    const folder = `openapi/${owner}`;
    if (!existsSync(join(root, folder))) continue;
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => basename(file) === `${name}.yaml`)
      .toSorted((a, b) => Number(b.startsWith(kind)) - Number(a.startsWith(kind)) || (a < b ? -1 : 1));
    if (files[0] !== undefined) return `${folder}/${files[0]}`;
  }
  return undefined;
}

function walk(
  root: string,
  file: string,
  pointer: readonly string[],
  end: "definition" | "reference",
  passed: string[] = [],
): FileLocation {
  const path = join(root, file);
  if (!existsSync(path)) return { file };
  const counter = new LineCounter();
  let node: unknown = parseDocument(readFileSync(path, "utf8"), { lineCounter: counter }).contents;
  let found: FileLocation = { file, line: 1, column: 1 };
  for (const [depth, key] of pointer.entries()) {
    const target = referenceOf(node);
    if (target !== undefined) return follow(root, file, target, pointer.slice(depth), end, passed) ?? found;
    const [marker, child] = childOf(node, key);
    if (marker === undefined) return found;
    const { line, col } = counter.linePos(marker.range?.[0] ?? 0);
    found = { file, line, column: col };
    node = child;
  }
  const target = end === "definition" ? referenceOf(node) : undefined;
  return (target === undefined ? undefined : follow(root, file, target, [], end, passed)) ?? found;
}

function childOf(node: unknown, key: string): [Node | undefined, unknown] {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    return [isNode(pair?.key) ? pair.key : undefined, pair?.value];
  }
  const item = isSeq(node) ? node.items[Number(key)] : undefined;
  return [isNode(item) ? item : undefined, item];
}

function referenceOf(node: unknown): string | undefined {
  const target = isMap(node) ? node.get("$ref") : undefined;
  return typeof target === "string" ? target : undefined;
}

/** Finds the target of a `$ref`. In a circle, the last of the places that it passed is there twice. */
export function follow(
  root: string,
  from: string,
  target: string,
  rest: readonly string[],
  end: "definition" | "reference",
  passed: string[],
): FileLocation | undefined {
  const [relative = "", fragment = ""] = target.split("#");
  const file = relative === "" ? from : posix.join(dirname(from), relative);
  const keys = [...pointerTokens(fragment), ...rest];
  const place = keys.length === 0 ? file : joinPointer(`${file}#`, ...keys);
  const isCircle = passed.includes(place);
  passed.push(place);
  return isCircle || !existsSync(join(root, file)) ? undefined : walk(root, file, keys, end, passed);
}
