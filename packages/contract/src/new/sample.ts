import { type Json, type JsonObject, isObject, text } from "../json.ts";
import { spaced } from "./naming.ts";

/** Resolves a `$ref` relative to its file: the schema there, and the resolver for references in it. */
export type Follow = (target: string) => { readonly schema: JsonObject; readonly follow: Follow };

const formats: Readonly<Record<string, string>> = {
  uuid: "5f2b8c1d-3f0e-4a55-9c57-0d6f6a1f2b3c",
  "date-time": "2026-11-04T09:15:00Z",
  date: "2026-11-04",
  uri: "https://example.com/",
};

/** A realistic value for a schema, with its required properties only. */
export function sample(schema: JsonObject, follow: Follow, name: string = "value", depth: number = 0): Json {
  const { $ref: target } = schema;
  if (typeof target === "string") {
    const next = follow(target);
    return sample(next.schema, next.follow, name, depth + 1);
  }
  for (const key of ["const", "default"]) if (schema[key] !== undefined) return schema[key];
  const listed = [schema["examples"], schema["enum"]].find((list) => Array.isArray(list));
  if (Array.isArray(listed) && listed[0] !== undefined) return listed[0];
  const union = [schema["oneOf"], schema["anyOf"], schema["allOf"]].find((list) => Array.isArray(list));
  const first = Array.isArray(union) ? union.find((variant) => isObject(variant)) : undefined;
  if (isObject(first)) return sample(first, follow, name, depth + 1);
  return plain(schema, follow, name, depth);
}

function plain(schema: JsonObject, follow: Follow, name: string, depth: number): Json {
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  if (type === "integer" || type === "number") return number(schema, type === "integer");
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "string") return formats[text(schema["format"])] ?? `demo ${spaced(name)}`;
  if (type === "array") {
    const { items } = schema;
    return isObject(items) && depth < 8 ? [sample(items, follow, name, depth + 1)] : [];
  }
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required.filter((one) => typeof one === "string") : [];
  const members = names.map((one): [string, Json] => {
    const property = isObject(properties) ? properties[one] : undefined;
    return [one, isObject(property) ? sample(property, follow, one, depth + 1) : {}];
  });
  return Object.fromEntries(members);
}

function number(schema: JsonObject, whole: boolean): number {
  const { minimum, maximum, exclusiveMinimum } = schema;
  const least = typeof minimum === "number" ? minimum : typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 1;
  const value = typeof maximum === "number" ? Math.min(least, maximum) : least;
  return whole ? Math.ceil(value) : value;
}
