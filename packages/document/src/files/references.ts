import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, posix, relative, resolve, sep } from "node:path";
import { isObject, joinPointer, memberAt, pointerTokens } from "@trainyard/core/validation";
import { keepIntegers } from "../digits.ts";
import { kindOf, type Kind } from "./canonical.ts";
import { missingFile, notYaml } from "./explain.ts";
import { Locator, written } from "./locate.ts";
import { conflictIn, DocumentError, type Problem } from "./problem.ts";
import { yaml } from "./on-demand.ts";

/** The parsed files of a document by their path from the root, or by their address. */
export type Sources = ReadonlyMap<string, unknown>;

/** A `$ref`, and the keys of the object that has it. */
interface Reference {
  readonly keys: readonly string[];
  readonly target: string;
}

/** The cure of a file that is no document. */
export const documentBegins = "Name a file that begins with `openapi: 3.1.0`, `info` and `paths`.";

type Fault = Pick<Problem, "message" | "cure">;

/**
 * Reads a document and the files that it refers to, and checks each `$ref` before anything follows it: files are below the
 * root and addresses are not fetched, unless they are allowed.
 *
 * @param source the path of the document, relative to the root
 * @param allow folders, and the beginnings of addresses
 * @throws {@link DocumentError} with each `$ref` that leads nowhere, back to itself, or where it may not.
 */
export async function readSources(root: string, source: string, allow: readonly string[] = []): Promise<Sources> {
  const sources = new Map([[source, parseFile(root, source, documentBegins)]]);
  // What bundles several files follows references in examples and other data, too.
  const isElsewhere = ({ keys, target }: Reference) =>
    fileOf(root, source, target) !== source &&
    (keys.at(-1) !== "externalValue" || existsSync(resolve(root, fileOf(root, source, target))));
  const own = referencesIn(sources.get(source));
  const isOne =
    !own.some(isElsewhere) &&
    !referencesIn(sources.get(source), true).some((one) => one.keys.at(-1) === "externalValue" && isElsewhere(one));
  const locator = new Locator(root, sources);
  const problems = new Map<string, Problem>();
  for (const [file, value] of sources) {
    for (const { keys, target } of isOne ? own : referencesIn(value, true)) {
      const to = fileOf(root, file, target);
      const fault =
        (sources.has(to) ? undefined : (refusal(root, to, allow) ?? (await add(sources, root, to)))) ??
        faultOf(sources, root, file, keys, target);
      if (fault === undefined) continue;
      const at = locator.follow(file, "#", keys, "reference", []) ?? { file };
      // All references of a circle have the same message.
      if (!problems.has(fault.message)) problems.set(fault.message, { ...at, ...fault });
    }
  }
  if (problems.size > 0) throw new DocumentError([...problems.values()]);
  return sources;
}

/** Why a document of one file has a `$ref` that cannot be followed, for example after an overlay. */
export function bundleFault(root: string, source: string, document: unknown): Fault | undefined {
  for (const { keys, target } of referencesIn(document)) {
    const isElsewhere = fileOf(root, source, target) !== source;
    const cure = "Refer to a component of the document.";
    if (isElsewhere) return { message: `The $ref of an overlay cannot lead to another file: ${target}.`, cure };
    const fault = faultOf(new Map([[source, document]]), root, source, keys, target);
    if (fault) return fault;
  }
  return undefined;
}

/** Every `$ref` of a document, by default without those in examples and other data. */
export function referencesIn(document: unknown, withData = false): Reference[] {
  const found: Reference[] = [];
  const keys: string[] = [];
  const enter = (value: unknown, kind: Kind): void => {
    if (typeof value !== "object" || value === null || (kind === "data" && !withData)) return;
    // A list of examples has data where a map of examples has keywords.
    const items = kind === "names" ? "data" : kind;
    for (const [key, member] of Object.entries(value)) {
      const isReference =
        (key === "$ref" && (kind === "keywords" || withData)) ||
        (withData && (key === "externalValue" || (keys.at(-1) === "mapping" && String(member).includes("/"))));
      if (typeof member === "string") {
        if (isReference && !Array.isArray(value))
          found.push({ keys: key === "$ref" ? [...keys] : [...keys, key], target: member });
        continue;
      }
      // A copy of the keys for each value would take most of the time.
      keys.push(key);
      enter(member, Array.isArray(value) ? items : kindOf(key, kind));
      keys.pop();
    }
  };
  enter(document, "keywords");
  return found;
}

/** The operation or component of a place: `#/paths/~1pets/get`, `#/components/schemas/Pet`. */
export function wholeOf(keys: readonly string[]): string {
  return joinPointer("#", ...keys.slice(0, 3));
}

/** The operations and components to which a part of a bundle refers. */
export function wholesIn(part: unknown): string[] {
  return referencesIn(part).map(({ target }) => wholeOf(pointerTokens(target)));
}

/** The file of a reference, as it is split and resolved by what bundles files. */
function fileOf(root: string, from: string, target: string): string {
  const path = (target.split("#/")[0] ?? "").replace(/#$/, "");
  if (path === "" || target.startsWith("#")) return from;
  if (isAddress(path) || isAddress(from)) return URL.canParse(path, from) ? new URL(path, from).href : path;
  return relative(root, resolve(root, dirname(from), path))
    .split(sep)
    .join("/");
}

function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Why a file may not be read. */
function refusal(root: string, file: string, allow: readonly string[]): Fault | undefined {
  if (isAddress(file)) {
    if (allow.some((one) => file === one || file.startsWith(one.replace(/\/?$/, "/")))) return undefined;
    const option = `--allow ${URL.canParse(file) ? new URL(".", file).href : file}`;
    const cure = `Save it in a file and refer to that, or allow the address with \`${option}\`.`;
    return { message: `The $ref leads to the address ${file}.`, cure };
  }
  const path = resolve(root, file);
  if (!existsSync(path)) {
    const folder = dirname(path);
    const beside = existsSync(folder) ? readdirSync(folder).map((name) => posix.join(posix.dirname(file), name)) : [];
    return missingFile(file, beside);
  }
  const real = realpathSync(path);
  const below = (folder: string): boolean => {
    const way = existsSync(folder) ? relative(realpathSync(folder), real) : "..";
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  };
  if ([".", ...allow].some((folder) => below(resolve(root, folder)))) return undefined;
  const message = `The $ref leads to ${file}, outside of the folder in which this command runs.`;
  const cure = `Run the command in a folder above both files, or allow the folder with \`--allow ${posix.dirname(file)}\`.`;
  return { message, cure };
}

/** Reads one more file. */
async function add(sources: Map<string, unknown>, root: string, file: string): Promise<Fault | undefined> {
  if (!isAddress(file)) {
    const isText = !/\.(?:ya?ml|json)$/.test(file) || statSync(resolve(root, file)).isDirectory();
    sources.set(file, isText ? "" : parseFile(root, file));
    return undefined;
  }
  try {
    // A redirect may lead to an address that is not allowed.
    const response = await fetch(file, { redirect: "error", signal: AbortSignal.timeout(60_000) });
    if (!response.ok) throw new Error(`The status is ${response.status}.`);
    sources.set(file, parseText(await response.text(), file));
    return undefined;
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const { message, cause } = Object(error);
    const reason = cause instanceof Error ? cause.message : message;
    return { message: `The $ref leads to ${file}, which cannot be read: ${reason}`, cure: "Correct the address." };
  }
}

/** Where a reference leads, if that is nowhere or a circle. */
function faultOf(
  sources: Sources,
  root: string,
  from: string,
  keys: readonly string[],
  target: string,
): Fault | undefined {
  const passed: string[] = [];
  for (let file = from, next = target; ;) {
    file = fileOf(root, file, next);
    const fragment = /#(.*)$/.exec(next)?.[1] ?? "";
    if (!sources.has(file)) return undefined;
    // An anchor is a name within schemas, of which a document is not made alone.
    if (/^[^/]/.test(fragment))
      return {
        message: `The $ref leads to the anchor ${fragment}, and only pointers are followed.`,
        cure: "Write the pointer to the schema, such as `#/components/schemas/Pet`.",
      };
    const tokens = tokensOf(`#${fragment}`);
    const value = tokens && memberAt(sources.get(file), tokens);
    if (tokens === undefined || value === undefined) {
      // Another reference on the way reports itself.
      if (passed.length > 0) return undefined;
      return {
        message: `The $ref leads to ${target}, which does not exist.`,
        cure: "Correct it, or add what it names.",
      };
    }
    const place = placeOf(file, tokens);
    if (passed.includes(place)) return circleFault(passed.slice(passed.indexOf(place)), placeOf(from, keys));
    passed.push(place);
    if (!isObject(value) || typeof value["$ref"] !== "string") return undefined;
    next = value["$ref"];
  }
}

function placeOf(file: string, keys: readonly string[]): string {
  return keys.length === 0 ? file : joinPointer(`${file}#`, ...keys);
}

/** A circle is reported at the references that belong to it. It begins at the same place for each of them. */
function circleFault(circle: readonly string[], place: string): Fault | undefined {
  if (!circle.includes(place)) return undefined;
  const first = circle.indexOf(circle.toSorted()[0] ?? "");
  const places = [...circle.slice(first), ...circle.slice(0, first + 1)];
  const message = `These $refs lead in a circle: ${places.join(" → ")}.`;
  return { message, cure: "Write the value itself in one of these places, instead of its $ref." };
}

/** Undefined for a percent sign that encodes nothing. */
function tokensOf(pointer: string): string[] | undefined {
  try {
    return pointerTokens(pointer);
  } catch {
    return undefined;
  }
}

/**
 * The content of a file of JSON or YAML.
 *
 * @param filled what to do if it is empty
 * @throws {@link DocumentError} if it cannot be read, is empty, or is neither JSON nor YAML
 */
export function parseFile(
  root: string,
  file: string,
  filled = "Write its content, or remove it and what refers to it.",
): unknown {
  try {
    const value = parseText(readFileSync(resolve(root, file), "utf8"), file);
    if (value === null) throw new DocumentError([{ file, line: 1, message: "The file is empty.", cure: filled }]);
    return value;
  } catch (error) {
    const { code } = Object(error) as { code?: string };
    if (code === undefined) throw error;
    const message = code === "ENOENT" ? "This file does not exist." : `This file cannot be read (${code}).`;
    throw new DocumentError([{ file, message, cure: "Name the file of an OpenAPI document." }]);
  }
}

/** Aliases are written out: up to this many values of YAML for one that is written. */
const maxAliasCount = 10_000;

/** A copy as plain data, with each half of a surrogate pair replaced, because a URI cannot contain it. */
function withoutHalves(value: unknown): unknown {
  const half = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;
  return JSON.parse((JSON.stringify(value) ?? "null").replaceAll(half, "\\ufffd"));
}

function parseText(text: string, file: string): unknown {
  keepIntegers(text);
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof memberAt(value, ["info", "version"]) === "number")
      throw new SyntaxError("The number is read as a text.");
    return /\\ud[89a-f]/i.test(text) ? withoutHalves(value) : value;
  } catch {
    // It is YAML, whose parser locates the faults of JSON, too.
  }
  // Between the markers of a conflict there may be valid YAML.
  const conflict = conflictIn(text);
  if (conflict) throw new DocumentError([{ file, ...conflict }]);
  const { isScalar, LineCounter, parseDocument, visit } = yaml();
  const counter = new LineCounter();
  const refuse = (what: string, offset: number): never => {
    const { line, col } = counter.linePos(offset);
    throw new DocumentError([{ file, ...notYaml(text, what, { line, column: col }) }]);
  };
  // The parser's own search for a key that is there twice takes time that grows with the square of a map.
  const parsed = parseDocument(text, { lineCounter: counter, uniqueKeys: false, merge: true, prettyErrors: false });
  const [broken] = parsed.errors;
  if (broken) refuse(broken.message.replace(/\.$/, ""), broken.pos[0]);
  visit(parsed, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (names.has(key.value)) refuse(`the key ${String(key.value)} is there twice`, key.range?.[0] ?? 0);
        names.add(key.value);
      }
    },
  });
  // 1.0 is the text "1.0", which the number 1 is not.
  const version = parsed.getIn(["info", "version"], true);
  if (isScalar(version) && typeof version.value === "number") version.value = version.source;
  try {
    // Plain data: an alias in itself has no JSON.
    const value = withoutHalves(parsed.toJS({ maxAliasCount }));
    if (isObject(value)) written.set(value, { contents: parsed.contents, linePos: counter.linePos });
    return value;
  } catch (error) {
    return refuse(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error), 0);
  }
}
