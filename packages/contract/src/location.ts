import { child, reference } from "@trainyard/document";
import { type Document } from "./document.ts";
import { text } from "./json.ts";
import { isObject, joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";

/** The name of an operation: its method, or verb and path if it has none. */
export function operationName(document: Document, path: string, method: string): string {
  const { value } = document.at(join("/paths", path, method));
  const name = isObject(value) ? value["x-client-method"] : undefined;
  return typeof name === "string" ? name : `${method.toUpperCase()} ${path}`;
}

/** Names of a variant, in order of preference: its component, its file, its title, its number. */
function variant(index: string, document: Document, pointer: string): [field: string] {
  const node = document.at(pointer);
  const target = reference(node.value);
  if (target !== undefined) return [`(${tokens(target).at(-1)})`];
  const title = child(node, "title").value;
  return [`(${typeof title === "string" ? title : `variant ${Number(index) + 1}`})`];
}

const sections: Record<string, string> = {
  responses: "response",
  parameters: "parameter",
  headers: "header",
  examples: "example",
  requestBodies: "request body",
  securitySchemes: "security scheme",
};

const signs: Record<string, string> = { items: "[]", additionalProperties: "{}", contentSchema: "(item)" };

/** The location of a pointer in words: `models.create › request › name`. */
export function describeLocation(document: Document, pointer: string): string {
  const path = tokens(pointer);
  const [area, group = "", name] = path;
  const parts: string[] = [];
  let fields = "";
  if (area === "paths" && path.length > 1) {
    if (name === undefined) return group;
    parts.push(operationName(document, group, name));
  } else if (area === "components" && name !== undefined) {
    if (group === "schemas") fields = name;
    else parts.push(`${sections[group] ?? group} ${name}`);
  }
  for (let at = parts.length > 0 || fields !== "" ? 3 : 0; at < path.length; at++) {
    const [token = "", next] = path.slice(at);
    const here = join("", ...path.slice(0, at + 2));
    if (token === "requestBody") parts.push("request");
    else if (Object.hasOwn(signs, token)) fields += signs[token];
    else if (next !== undefined && Object.hasOwn(named, token)) {
      at++;
      const [field, part] = named[token]?.(next, document, here) ?? [];
      fields += field ?? "";
      if (part !== undefined) parts.push(part);
    } else if (parts.length === 0 && fields === "") parts.push(token);
    // Other keys are named in the sentence about the change.
  }
  if (fields !== "") parts.push(fields.replace(/^\./, ""));
  return parts.join(" › ") || "document";
}

/** What a key and the name after it say: of the fields of a schema, or as a part of their own. */
const named: Record<string, (name: string, document: Document, pointer: string) => [field: string, part?: string]> = {
  properties: (name) => [`.${name}`],
  patternProperties: (name) => [`./${name}/`],
  prefixItems: (index) => [`[${index}]`],
  oneOf: variant,
  anyOf: variant,
  allOf: variant,
  responses: (status) => ["", status],
  headers: (name) => ["", `header ${name}`],
  parameters: (_, document, pointer) => ["", parameter(document, pointer)],
};

function parameter(document: Document, pointer: string): string {
  const node = document.at(pointer);
  if (node.value === undefined) return "parameter";
  const { value } = document.follow(node);
  return isObject(value) ? `${text(value["in"])} ${text(value["name"])}` : "parameter";
}
