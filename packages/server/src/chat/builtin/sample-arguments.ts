import { isObject } from "@trainyard/core/validation";

const deepest = 8;

/** A value that a simple JSON Schema allows: its first example, and of an object what it requires. */
export function sampleArguments(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > deepest) return {};
  if ("const" in schema) return schema["const"];
  if ("default" in schema) return schema["default"];
  const [first] = [schema["enum"] ?? schema["examples"] ?? []].flat();
  if (first !== undefined) return first;
  const type = [schema["type"] ?? (depth === 0 ? "object" : "string")].flat()[0];
  switch (type) {
    case "object": {
      const required = [schema["required"] ?? []].flat().map(String);
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(required.map((name) => [name, sampleArguments(properties[name], depth + 1)]));
    }
    case "array":
      return typeof schema["minItems"] === "number" && schema["minItems"] > 0
        ? [sampleArguments(schema["items"], depth + 1)]
        : [];
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return "";
  }
}
