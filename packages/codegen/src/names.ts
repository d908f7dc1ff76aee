import { camelCase } from "@trainyard/document";
import { compare } from "@trainyard/document/files";

/** A property name in TypeScript: quoted only if necessary. */
export function propertyName(name: string): string {
  // A literal with `__proto__: x` has another prototype, and no property of that name.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The names from which a type name can be generated. */
export const typeName: RegExp = /^[A-Z][A-Za-z0-9]*$/;

/** Words that cannot be the name of a function's parameter, or of a type. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Converts a path parameter to the name of a function's parameter, beside `body`, `query` and `options`. */
export function parameterName(name: string): string {
  const camel = camelCase(name);
  const taken =
    reservedWords.has(camel) ||
    ["body", "query", "options", "init", "path", "call"].includes(camel) ||
    /^\d/.test(camel);
  return taken || camel === "" ? `${/^\d/.test(camel) ? "p" : ""}${camel}Value` : camel;
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Names in braces for an import, on one line if they fit, else one per line. */
export function braced(names: readonly string[]): string {
  const line = `{ ${names.join(", ")} }`;
  return line.length <= 80 ? line : `{\n${names.map((name) => `  ${name},\n`).join("")}}`;
}

/** The names that code uses outside of comments and strings, sorted. */
export function usedNames(code: string, names: Iterable<string>): string[] {
  const words = new Set(code.replaceAll(/\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"/g, "").match(/[\w$]+/g));
  return [...names].filter((name) => words.has(name)).toSorted(compare);
}
