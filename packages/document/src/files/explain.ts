import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, resolve, sep } from "node:path";
import { nearest } from "../index.ts";
import { conflictIn, type Problem } from "./problem.ts";
import { readTree } from "./tree.ts";

/** A problem that Redocly reports, with our message. */
export interface Explanation extends Pick<Problem, "message" | "cure"> {
  /** The position where a YAML file is invalid, because the problem itself is reported at each reference to it. */
  readonly broken?: Pick<Problem, "file" | "line" | "column">;
}

/** A place in a file that is not valid YAML, or that a merge left in conflict. */
export function notYaml(text: string, what: string, at: Pick<Problem, "line" | "column">): Omit<Problem, "file"> {
  const cure = "Correct the YAML at this place: look at its indentation, brackets and quotes.";
  return conflictIn(text) ?? { ...at, message: `Not valid YAML: ${what}.`, cure };
}

/**
 * Explains a problem.
 *
 * @param instead Redocly's suggestion
 */
export function explain(complaint: string, root: string, instead?: string): Explanation {
  const raw = withoutRoot(complaint.trim(), root);
  const parse = /^(?:Failed to parse|Can't resolve \$ref): (.+?) in "(.*?)" \((\d+):(\d+)\)/.exec(raw);
  if (parse !== null) {
    const { message, cure, ...broken } = unparsed(root, parse);
    return { message, cure, broken };
  }
  const missing = /ENOENT: no such file or directory '(.+?)'/.exec(raw)?.[1]?.split(sep).join("/");
  if (missing !== undefined) return missingFile(missing, [...readTree(root).keys()]);
  if (raw.startsWith("Can't resolve $ref")) {
    const cure = "Correct the $ref at this place: a file relative to this one, or #/ and a path inside this file.";
    return { message: `${raw}.`, cure };
  }
  const message = /[.!?]$/.test(raw) ? raw : `${raw}.`;
  const cure = instead === undefined ? "Correct this place as OpenAPI 3.1 has it." : `Write ${instead} instead.`;
  return { message, cure };
}

/** Explains a reference to a file that does not exist, and suggests another one. */
export function missingFile(missing: string, files: readonly string[]): Explanation {
  const message = `The $ref names a file that does not exist: ${missing}.`;
  // The same name in another folder is a better suggestion than another name.
  const meant =
    files.find((file) => basename(file) === basename(missing)) ??
    nearest(
      missing,
      files.filter((file) => nearest(basename(missing), [basename(file)]) !== undefined),
    );
  const cure = `Create ${missing}, or correct the name in this $ref, which is relative to its own file.`;
  return { message, cure: meant === undefined ? cure : `Did you mean ${meant}? ${cure}` };
}

function withoutRoot(text: string, root: string): string {
  return text.replaceAll(realpathSync(root) + sep, "").replaceAll(root + sep, "");
}

/**
 * Explains why Redocly cannot read a root document, which it reports in another form: `- message in "/file" (line:column)`.
 */
export function explainRoot(text: string, source: string, root: string): Problem {
  const raw = withoutRoot(text, root);
  const parse = /^ *- (.+?) in "(.*?)" \((\d+):(\d+)\)/m.exec(raw);
  return parse === null ? { file: source, ...notYaml("", raw, {}), message: raw.trim() } : unparsed(root, parse);
}

/** @param found what is wrong, the file, and the place as Redocly reports them */
function unparsed(root: string, [, what = "", path = "", line, column]: RegExpExecArray): Problem {
  const file = path.split(sep).join("/");
  const place = resolve(root, file);
  const text = existsSync(place) ? readFileSync(place, "utf8") : "";
  return { file, ...notYaml(text, what, { line: Number(line), column: Number(column) }) };
}
