import { child, reference } from "@trainyard/document";
import { type Document } from "./document.ts";
import { isObject, text } from "./json.ts";
import { joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";

/** The name of an operation: its method, or verb and path if it has none. */
export function operationName(document: Document, path: string, method: string): string {
  const { value } = document.at(join("/paths", path, method));
  const name = isObject(value) ? value["x-client-method"] : undefined;
  return typeof name === "string" ? name : `${method.toUpperCase()} ${path}`;
}

/** Names of a variant, in order of preference: its component, its file, its title, its number. */
function variant(document: Document, pointer: string, index: string): string {
  const node = document.at(pointer);
  const target = reference(node.value);
  if (target !== undefined) return tokens(target).at(-1) ?? index;
  const title = child(node, "title").value;
  return typeof title === "string" ? title : `variant ${Number(index) + 1}`;
}

const sections: Record<string, string> = {
  responses: "response",
  parameters: "parameter",
  headers: "header",
  examples: "example",
  requestBodies: "request body",
  securitySchemes: "security scheme",
};

const unions = new Set(["oneOf", "anyOf", "allOf"]);

/** The location of a pointer in words: `models.create › request › name`. */
export function describeLocation(document: Document, pointer: string): string {
  const rest = tokens(pointer);
  const parts: string[] = [];
  let here = "";
  let fields = "";
  const take = (): string => {
    const token = rest.shift() ?? "";
    here = join(here, token);
    return token;
  };

  const first = rest[0];
  if (first === "paths" && rest.length > 1) {
    take();
    const path = take();
    const method = rest[0];
    if (method === undefined) return path;
    parts.push(operationName(document, path, take()));
  } else if (first === "components" && rest.length > 2) {
    take();
    const section = take();
    const name = take();
    if (section === "schemas") fields = name;
    else parts.push(`${sections[section] ?? section} ${name}`);
  }

  while (rest.length > 0) {
    const token = take();
    const next = rest[0];
    if (token === "properties" && next !== undefined) fields += `.${take()}`;
    else if (token === "patternProperties" && next !== undefined) fields += `./${take()}/`;
    else if (token === "prefixItems" && next !== undefined) fields += `[${take()}]`;
    else if (token === "items") fields += "[]";
    else if (token === "additionalProperties") fields += "{}";
    else if (unions.has(token) && next !== undefined) {
      const index = take();
      fields += `(${variant(document, here, index)})`;
    } else if (token === "contentSchema") fields += "(item)";
    else if (token === "requestBody") parts.push("request");
    else if (token === "responses" && next !== undefined) parts.push(take());
    else if (token === "headers" && next !== undefined) parts.push(`header ${take()}`);
    else if (token === "parameters" && next !== undefined) {
      take();
      parts.push(parameter(document, here));
    } else if (parts.length === 0 && fields === "") parts.push(token);
    // Other keys are named in the sentence about the change.
  }
  if (fields !== "") parts.push(fields.replace(/^\./, ""));
  return parts.join(" › ") || "document";
}

function parameter(document: Document, pointer: string): string {
  const node = document.at(pointer);
  if (node.value === undefined) return "parameter";
  const { value } = document.follow(node);
  return isObject(value) ? `${text(value["in"])} ${text(value["name"])}` : "parameter";
}
