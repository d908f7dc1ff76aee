import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, posix, resolve } from "node:path";
import { joinPointer, pointerTokens } from "@trainyard/core/validation";
import { pascalCase } from "../index.ts";
import type { LineCounter, Node } from "yaml";
import { yaml } from "./on-demand.ts";

export interface FileLocation {
  /** Relative to the root of the repository, with `/`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** What a location is wanted of: the target of a `$ref`, or the `$ref` itself. */
export type End = "definition" | "reference";

/** A parsed file: the nodes of YAML, or a map of the {@link Member}s of JSON. */
export interface Source {
  readonly contents: unknown;
  readonly linePos: LineCounter["linePos"];
}

/** A member of an object or a list in JSON, with the place of its key or of itself. A text is as it is written. */
type Member = ReturnType<LineCounter["linePos"]> & { readonly value: unknown };

/** The places of values that were read from YAML. Parsing a large file a second time takes a second. */
export const written: WeakMap<object, Source> = new WeakMap();

/**
 * Finds the source locations of values of bundles, for the messages of one report. It reads each file once, so it must not
 * outlive the report: files change.
 */
export class Locator {
  readonly #root: string;
  readonly #sources = new Map<string, Source | undefined>();
  readonly #folders = new Map<string, readonly string[]>();
  readonly #parsed: ReadonlyMap<string, unknown> | undefined;

  /** @param parsed the files of the document with their values; by default those in its folder and in `openapi/common` */
  constructor(root: string, parsed?: ReadonlyMap<string, unknown>) {
    this.#root = root;
    this.#parsed = parsed;
  }

  /**
   * Follows the path of a value through the `$ref`s of a document's files, as far as it exists. For a value that is a
   * `$ref`, returns its target or, with `reference`, the reference.
   *
   * @param source the path of the document, relative to the root
   */
  locate(source: string, pointer: readonly string[], end: End = "definition"): FileLocation {
    const [section, kind, name, ...rest] = pointer;
    if (section === "components" && kind !== undefined && name !== undefined) {
      const file = this.#componentFile(source, kind, name);
      if (file !== undefined) return this.#walk(file, rest, end);
    }
    return this.#walk(source, pointer, end);
  }

  /** Components are named after their files. The document's own folder takes precedence over shared ones. */
  #componentFile(source: string, kind: string, name: string): string | undefined {
    if (this.#parsed) return filesNamed([...this.#parsed.keys()], name).find((file) => file !== source);
    for (const folder of [dirname(source), "openapi/common"]) {
      const inside = posix.join(folder, kind);
      const [file] = filesNamed(
        this.#filesIn(folder).map((path) => posix.join(folder, path)),
        name,
      ).toSorted((a, b) => Number(b.startsWith(inside)) - Number(a.startsWith(inside)) || (a < b ? -1 : 1));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  #filesIn(folder: string): readonly string[] {
    const path = join(this.#root, folder);
    const read = (): string[] => (existsSync(path) ? readdirSync(path, { recursive: true, encoding: "utf8" }) : []);
    const files = this.#folders.get(folder) ?? read().map((file) => file.replaceAll("\\", "/"));
    this.#folders.set(folder, files);
    return files;
  }

  #read(file: string): Source | undefined {
    const known = written.get(Object(this.#parsed?.get(file)));
    if (known !== undefined) return known;
    if (!this.#sources.has(file)) this.#sources.set(file, sourceAt(resolve(this.#root, file)));
    return this.#sources.get(file);
  }

  #walk(file: string, pointer: readonly string[], end: End, passed: string[] = []): FileLocation {
    const source = this.#read(file);
    if (source === undefined) return { file };
    let node: unknown = source.contents;
    let found: FileLocation = { file, line: 1, column: 1 };
    for (const [depth, key] of pointer.entries()) {
      const target = referenceOf(node);
      if (target !== undefined) return this.follow(file, target, pointer.slice(depth), end, passed) ?? found;
      const [marker, child] = childOf(node, key);
      if (marker === undefined) return found;
      const { line, col } = "col" in marker ? marker : source.linePos(marker.range?.[0] ?? 0);
      found = { file, line, column: col };
      node = child;
    }
    const target = end === "definition" ? referenceOf(node) : undefined;
    return (target === undefined ? undefined : this.follow(file, target, [], end, passed)) ?? found;
  }

  /** Finds the target of a `$ref`. In a circle, the last of the places that it passed is there twice. */
  follow(from: string, target: string, rest: readonly string[], end: End, passed: string[]): FileLocation | undefined {
    const [relative = "", fragment = ""] = target.split("#");
    const file = relative === "" ? from : posix.join(dirname(from), relative);
    const keys = [...pointerTokens(fragment), ...rest];
    const place = keys.length === 0 ? file : joinPointer(`${file}#`, ...keys);
    const isCircle = passed.includes(place);
    passed.push(place);
    return isCircle || this.#read(file) === undefined ? undefined : this.#walk(file, keys, end, passed);
  }
}

function sourceAt(path: string): Source | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  try {
    JSON.parse(text);
    return { contents: membersOf(text), linePos: () => ({ line: 1, col: 1 }) };
  } catch {
    // It is YAML.
  }
  const { LineCounter, parseDocument } = yaml();
  const counter = new LineCounter();
  // Redocly reports keys that are there twice. Looking for them takes time that grows with the square of a map.
  const options = { lineCounter: counter, uniqueKeys: false };
  return { contents: parseDocument(text, options).contents, linePos: counter.linePos };
}

/** The places in valid JSON, for which the parser of YAML takes twenty times as long. */
function membersOf(text: string): unknown {
  let [at, line, begin] = [0, 1, 0];
  /** Goes to the next character that begins or ends a value. */
  const next = (): string => {
    for (; " \t\r\n,:".includes(text.charAt(at)) && at < text.length; at++)
      if (text.charAt(at) === "\n") [line, begin] = [line + 1, at + 1];
    return text.charAt(at);
  };
  const textAt = (): string => {
    const from = at++;
    for (; text.charAt(at) !== '"'; at++) if (text.charAt(at) === "\\") at++;
    return text.slice(from, ++at);
  };
  const value = (): unknown => {
    const open = next();
    if (open === '"') return textAt();
    if (open !== "{" && open !== "[") {
      while (/[^\s,\]}]/.test(text.charAt(at))) at++;
      return undefined;
    }
    const members = new Map<string, Member>();
    for (at++; !/[\]}]/.test(next());) {
      const place = { line, col: at - begin + 1 };
      const key = open === "{" ? String(JSON.parse(textAt())) : String(members.size);
      members.set(key, { ...place, value: value() });
    }
    at++;
    return members;
  };
  return value();
}

/** The files after which a component is named: with their folders, if other files have the same name. */
function filesNamed(files: readonly string[], name: string): string[] {
  const exact = files.filter((file) => /\.(ya?ml|json)$/.test(file) && basename(file, extname(file)) === name);
  if (exact.length > 0) return exact;
  return files.filter((file) => {
    const parts = file.slice(0, -extname(file).length).split("/");
    return parts.some((_, index) => index < parts.length - 1 && pascalCase(parts.slice(index).join(" ")) === name);
  });
}

function childOf(node: unknown, key: string): [marker: Node | Member | undefined, child: unknown] {
  // In a bundle, its operations are beside the others.
  const rest = "additionalOperations";
  if (node instanceof Map) {
    const member: Member | undefined = node.get(key);
    const further: Member | undefined = member ? undefined : node.get(rest);
    return further ? childOf(further.value, key) : [member, member?.value];
  }
  if (typeof node !== "object") return [undefined, undefined];
  const { isMap, isNode, isScalar, isSeq } = yaml();
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    const further = pair === undefined ? node.get(rest) : undefined;
    return isMap(further) ? childOf(further, key) : [isNode(pair?.key) ? pair.key : undefined, pair?.value];
  }
  const item = isSeq(node) ? node.items[Number(key)] : undefined;
  return [isNode(item) ? item : undefined, item];
}

function referenceOf(node: unknown): string | undefined {
  const isJson = node instanceof Map;
  const target: unknown = isJson ? node.get("$ref")?.value : yaml().isMap(node) ? node.get("$ref") : undefined;
  return typeof target === "string" ? (isJson ? String(JSON.parse(target)) : target) : undefined;
}
