import { isObject } from "./json.ts";

type Form = (value: unknown) => boolean;

const isText: Form = (value) => typeof value === "string";
const isNumber: Form = (value) => Number.isFinite(value);
const isCount: Form = (value) => Number.isInteger(value) && Number(value) >= 0;
const isSchema: Form = (value) => isObject(value) || typeof value === "boolean";
const isFilled: Form = (value) => Array.isArray(value) && value.length > 0;
const isNames: Form = (value) => Array.isArray(value) && value.every(isText);
const types = new Set<unknown>(["string", "number", "integer", "boolean", "null", "array", "object"]);
const isTypes: Form = (value) => [value].flat().length > 0 && [value].flat().every((type) => types.has(type));
const isPattern: Form = (value) => isText(value) && unicodePattern(String(value)) !== undefined;

const forms = new Map<string, Form>(
  (
    [
      ["maximum minimum exclusiveMaximum exclusiveMinimum", isNumber],
      ["multipleOf", (value) => isNumber(value) && Number(value) > 0],
      ["maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains", isCount],
      ["uniqueItems", (value) => typeof value === "boolean"],
      ["format $ref $dynamicRef", isText],
      ["$anchor $dynamicAnchor", (value) => /^[a-z_][-.\w]*$/i.test(String(value))],
      // A percent sign that encodes nothing is in no URI.
      ["$id", (value) => isText(value) && !/%(?![\da-f]{2})/i.test(String(value))],
      ["type", isTypes],
      ["pattern", isPattern],
      ["enum", (value) => Array.isArray(value)],
      ["const", () => true],
      ["required", isNames],
      ["dependentRequired", (value) => isObject(value) && Object.values(value).every(isNames)],
      ["allOf anyOf oneOf prefixItems", (value) => isFilled(value) && [value].flat().every(isSchema)],
      ["properties $defs dependentSchemas", (value) => isObject(value) && Object.values(value).every(isSchema)],
      ["patternProperties", (value) => isObject(value) && Object.keys(value).every(isPattern)],
      ["items additionalProperties not if then else contains propertyNames", isSchema],
      ["unevaluatedItems unevaluatedProperties contentSchema", isSchema],
    ] satisfies [string, Form][]
  ).flatMap(([keywords, form]) => keywords.split(" ").map((keyword): [string, Form] => [keyword, form])),
);

/** The keys of a schema that are keywords and apply to values. */
export function keywordsIn(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => (forms.get(key)?.(value) === true ? [key] : []));
}

/** Whether JSON Schema permits this value of a keyword. Validators ignore a keyword with another value. */
export function isWellFormed(keyword: string, value: unknown): boolean {
  return forms.get(keyword)?.(value) ?? true;
}

/**
 * A pattern as JSON Schema requires it, with Unicode: escapes that mean themselves, such as `\-` or `\:`, are not permitted
 * there. Undefined if it is not a regular expression.
 */
export function unicodePattern(pattern: string): string | undefined {
  const spelled = pattern.replaceAll(/\\([^])/g, (escape, character: string) =>
    /[^\w^$\\.*+?()[\]{}|/]|_/.test(character) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : escape,
  );
  return [pattern, spelled].find((one) => {
    try {
      return new RegExp(one, "u");
    } catch {
      return false;
    }
  });
}
