import { type Json } from "@trainyard/document";
import { type JsonObject, text } from "../json.ts";
import { isObject } from "@trainyard/core/validation";
import { spaced } from "./naming.ts";
import type { Follow } from "./plan.ts";

const formats: Readonly<Record<string, string>> = {
  uuid: "5f2b8c1d-3f0e-4a55-9c57-0d6f6a1f2b3c",
  "date-time": "2026-11-04T09:15:00Z",
  date: "2026-11-04",
  uri: "https://example.com/",
};

/** A realistic value for a schema, with its required properties only. */
export function sample(schema: JsonObject, follow: Follow, name: string = "value", depth: number = 0): Json {
  if (typeof schema["$ref"] === "string") {
    const next = follow(schema["$ref"]);
    return sample(next.schema, next.follow, name, depth + 1);
  }
  const { minimum, exclusiveMinimum, maximum, items, properties, required } = schema;
  const known = [schema["const"], schema["default"], first(schema["examples"]), first(schema["enum"])];
  const value = known.find((one) => one !== undefined);
  if (value !== undefined) return value;
  const variant = first(schema["oneOf"]) ?? first(schema["anyOf"]) ?? first(schema["allOf"]);
  if (isObject(variant)) return sample(variant, follow, name, depth + 1);
  switch (first(schema["type"]) ?? schema["type"]) {
    case "integer":
    case "number": {
      const least =
        typeof minimum === "number" ? minimum : 1 + (typeof exclusiveMinimum === "number" ? exclusiveMinimum : 0);
      return typeof maximum === "number" ? Math.min(least, maximum) : least;
    }
    case "boolean":
      return true;
    case "null":
      return null;
    case "string":
      return formats[text(schema["format"])] ?? `demo ${spaced(name)}`;
    case "array":
      return isObject(items) && depth < 8 ? [sample(items, follow, name, depth + 1)] : [];
    default: {
      const names = Array.isArray(required) ? required.map(text) : [];
      const member = (one: string): Json => {
        const property = isObject(properties) ? properties[one] : undefined;
        return isObject(property) ? sample(property, follow, one, depth + 1) : {};
      };
      return Object.fromEntries(names.map((one) => [one, member(one)]));
    }
  }
}

function first(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}
