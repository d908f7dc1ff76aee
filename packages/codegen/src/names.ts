/** `ModelsCheckpointsList` of `models.checkpoints.list`. */
export function pascalCase(name: string): string {
  return words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `modelId` of `model_id`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

function words(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

/** A property name as TypeScript wants it written: quoted only where it must be. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** What a name in a document must be, so that a type of that name can be written. */
export const typeName = /^[A-Z][A-Za-z0-9]*$/;

/** What each part of a method's name must be. */
export const methodPart = /^[a-z][A-Za-z0-9]*$/;

/** A promise answers to `then`, a client has `http`, and the others belong to every object. */
export const forbiddenMethodParts: ReadonlySet<string> = new Set([
  "then",
  "constructor",
  "http",
  "__proto__",
  "prototype",
]);

/** Words that cannot name a parameter of a function. */
const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** A path parameter as the name of a function's parameter, beside `body`, `query` and `options`. */
export function parameterName(name: string): string {
  const camel = camelCase(name);
  const taken =
    reserved.has(camel) || ["body", "query", "options", "init", "path"].includes(camel) || /^\d/.test(camel);
  return taken || camel === "" ? `${/^\d/.test(camel) ? "p" : ""}${camel}Value` : camel;
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Names in braces for an import, on one line where they fit, else each on its own. */
export function braced(names: readonly string[]): string {
  const line = `{ ${names.join(", ")} }`;
  return line.length <= 80 ? line : `{\n${names.map((name) => `  ${name},\n`).join("")}}`;
}
