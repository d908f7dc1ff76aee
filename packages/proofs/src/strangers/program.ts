import { isObject, joinPointer as join, pointerTokens } from "@trainyard/core/validation";
import { locate, readDocument, schemaName, type Located, type Operation } from "@trainyard/document";

/** A line of a program, and the pointer of the place in the document that it was written for. */
export interface Line {
  readonly text: string;
  readonly place: string;
}

type Role = "send" | "read";

/** A schema of OpenAPI 3.0. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The types of a program, and what it has of its own. */
const head = `import type { components, paths } from "./types.ts";
declare const either: boolean;
declare function value<T>(): T;
declare function take<T>(value: T): void;
declare function never(value: never): void;
// An error that is no longer listed gives who handles it nothing to read.
type ErrorOf<R, S> = S extends keyof R ? R[S] : any;`;

const quoted = (value: unknown): string => JSON.stringify(value);
const typeNamed = (name: string): string => `components["schemas"][${quoted(name)}]`;
const referred = ({ node, pointer }: Located): Schema => (schemaName(pointer) === undefined ? node : { $ref: pointer });
/** The schema of the items of a list, or of the values of a map. */
const innerOf = ({ type, properties, items = {}, additionalProperties: others }: Schema): Schema | undefined =>
  type === "array" ? items : properties === undefined && isObject(others) ? others : undefined;

/** The type of a value that a program handles as a whole. */
function typeOf(schema: Schema, role: Role): string {
  const inside = (inner: Schema): string => typeOf(inner, role);
  const { $ref, type, properties = {}, additionalProperties: others, required = [], allOf = [], anyOf, oneOf } = schema;
  if ($ref !== undefined) return typeNamed(schemaName($ref) ?? "");
  const orNull = schema.nullable === true ? " | null" : "";
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(" | ") + orNull;
  if (type === "array") return `(${inside(schema.items ?? {})})[]${orNull}`;
  if (type === "string" || type === "boolean") return type + orNull;
  if (type === "integer" || type === "number") return `number${orNull}`;
  const fields = Object.entries(properties).map(
    ([name, own]) => `${quoted(name)}${required.includes(name) ? "" : "?"}: ${inside(own)}`,
  );
  const own = [
    ...(fields.length > 0 ? [`{ ${fields.join("; ")} }`] : []),
    ...(isObject(others) || others === true
      ? [`{ [key: string]: ${others === true ? "unknown" : inside(others)} }`]
      : []),
    ...allOf.map((part) => `(${inside(part)})`),
  ].join(" & ");
  const [any, one] = [anyOf, oneOf].map((variants = []) => variants.map(inside).join(" | "));
  const whole = [[own, any].filter(Boolean).join(" | "), one].filter(Boolean).map((part) => `(${part})`);
  if (whole.length > 0) return `(${whole.join(" & ")})${orNull}`;
  // The types have no properties for any object, but those who read one may get some.
  const object = role === "read" ? "object" : "Record<string, never>";
  return type === undefined ? "unknown" : object + orNull;
}

/**
 * A program for the types that `openapi-typescript` makes of a document of OpenAPI 3.0: it sends every field, reads every
 * answered one, names every schema and switches over every enum.
 */
export function programOf(root: object): Line[] {
  const { operations, schemas } = readDocument(root);
  const names = [...schemas.keys()];
  const lines = head.split("\n").map((text): Line => ({ text, place: "" }));
  /** The schemas that are sent or read. Their functions, as they are written, need more of them. */
  const needed = new Map<string, { readonly role: Role; readonly name: string }>();
  let count = 0;
  const line = (text: string, place: string): unknown => lines.push({ text, place: join("", ...pointerTokens(place)) });
  const variable = (): string => `value${count++}`;
  const functionOf = (role: Role, $ref: string): string => {
    const name = schemaName($ref) ?? "";
    const own = `${role}${names.indexOf(name)}`;
    needed.set(own, { role, name });
    return own;
  };

  function read(schema: Schema, from: string, place: string): unknown {
    const { $ref, properties, allOf = [], required = [], nullable } = schema;
    if ($ref !== undefined) return line(`${functionOf("read", $ref)}(${from});`, place);
    if (schema.enum !== undefined) {
      const values = new Set([...schema.enum, ...(nullable === true ? [null] : [])]);
      line(`switch (${from}) {`, place);
      for (const one of values) line(`case ${quoted(one)}: break;`, place);
      return line(`default: never(${from}); }`, place);
    }
    const inner = innerOf(schema);
    const isWhole = inner === undefined && properties === undefined && allOf.length === 0;
    if (isWhole || (schema.anyOf ?? schema.oneOf) !== undefined)
      return line(`take<${typeOf(schema, "read")}>(${from});`, place);
    line(nullable === true ? `if (${from} !== null) {` : "{", place);
    for (const [index, part] of allOf.entries()) read(part, from, join(place, "allOf", index));
    for (const [name, own] of Object.entries(properties ?? {})) {
      const [field, at] = [variable(), join(place, "properties", name)];
      line(`const ${field} = ${from}[${quoted(name)}];`, at);
      line(required.includes(name) ? "{" : `if (${field} !== undefined) {`, at);
      read(own, field, at);
      line("}", at);
    }
    if (inner !== undefined) {
      const item = variable();
      line(`for (const ${item} of ${schema.type === "array" ? from : `Object.values(${from})`}) {`, place);
      read(inner, item, join(place, schema.type === "array" ? "items" : "additionalProperties"));
      line("}", place);
    }
    return line("}", place);
  }

  /** Writes an expression that has all that may be sent. */
  function send(schema: Schema, place: string): unknown {
    const { $ref, properties, allOf = [], required = [] } = schema;
    if ($ref !== undefined) return line(`${functionOf("send", $ref)}()`, place);
    const inner = innerOf(schema);
    const variants = properties === undefined ? (schema.oneOf ?? schema.anyOf ?? []) : [];
    const isWhole = inner === undefined && properties === undefined && variants.length + allOf.length === 0;
    if (isWhole || schema.enum !== undefined) return line(`value<${typeOf(schema, "send")}>()`, place);
    if (schema.nullable === true) line("either ? null :", place);
    if (variants.length > 0) {
      for (const [index, variant] of variants.entries()) {
        line("either ?", place);
        send(variant, join(place, schema.oneOf === undefined ? "anyOf" : "oneOf", index));
        line(":", place);
      }
      return line("value<never>()", place);
    }
    const isList = schema.type === "array";
    line(isList ? "[" : "{", place);
    for (const [index, part] of allOf.entries()) {
      line("...", place);
      send(part, join(place, "allOf", index));
      line(",", place);
    }
    for (const [name, own] of Object.entries(properties ?? {}))
      sendField(name, own, required.includes(name), join(place, "properties", name));
    if (inner !== undefined && !isList) line('"a key":', place);
    if (inner !== undefined) send(inner, join(place, isList ? "items" : "additionalProperties"));
    return line(isList ? "]" : "}", place);
  }

  function sendField(name: string, schema: Schema, isRequired: boolean, place: string): void {
    line(`${quoted(name)}: ${isRequired ? "" : "either ? undefined :"}`, place);
    send(schema, place);
    line(",", place);
  }

  function sendRequest(type: string, { parameters, body, pointer }: Operation): void {
    const place = join(pointer, "parameters");
    line(`export const ${variable()}: Pick<${type}, "parameters" | "requestBody"> = { parameters: {`, pointer);
    for (const where of new Set(parameters.map((one) => one.in))) {
      line(`${where}: {`, place);
      for (const one of parameters.filter((other) => other.in === where))
        sendField(one.name, referred(one.schema), one.required, place);
      line("},", place);
    }
    line("},", pointer);
    if (body !== undefined) {
      line(`requestBody: ${body.required ? "" : "either ? undefined :"} { content: {`, body.pointer);
      for (const [mediaType, { schema, pointer: at }] of body.content)
        sendField(mediaType, schema === undefined ? {} : referred(schema), true, schema?.pointer ?? at);
      line("} },", body.pointer);
    }
    line("};", pointer);
  }

  function readResponses(type: string, { responses, pointer: operation }: Operation): void {
    for (const [status, { headers, content, pointer }] of responses) {
      const key = Number.isNaN(Number(status)) ? quoted(status) : status;
      const all = `${type}["responses"]`;
      const own = /^[123]/.test(status) ? `${all}[${key}]` : `ErrorOf<${all}, ${key}>`;
      line(`export function ${variable()}(answer: ${own}) {`, join(operation, "responses", status));
      for (const [name, { schema }] of headers) {
        const [header, place] = [variable(), join(pointer, "headers")];
        line(`const ${header} = answer.headers[${quoted(name)}];`, place);
        line(`if (${header} !== undefined) {`, place);
        read(referred(schema), header, place);
        line("}", place);
      }
      for (const [mediaType, { schema, pointer: at }] of content) {
        const body = variable();
        line(`const ${body} = answer.content[${quoted(mediaType)}];`, at);
        if (schema !== undefined) read(referred(schema), body, schema.pointer);
      }
      line("}", pointer);
    }
  }

  for (const operation of operations) {
    const type = `paths[${quoted(operation.path)}][${quoted(operation.key)}]`;
    sendRequest(type, operation);
    readResponses(type, operation);
  }
  for (const [name, { pointer }] of schemas) line(`export type Name${count++} = ${typeNamed(name)};`, pointer);
  // The types have no webhooks of OpenAPI 3.0, but their bodies are components.
  const { "x-webhooks": webhooks = {} } = locate(root, "#").node;
  for (const [, pointer = ""] of JSON.stringify(webhooks).matchAll(/"\$ref":"(#\/components\/schemas\/[^"]+)"/g))
    functionOf("read", pointer);
  for (const [own, { role, name }] of needed) {
    const { node, pointer } = schemas.get(name) ?? { node: {}, pointer: "" };
    if (role === "read") {
      line(`function ${own}(value: ${typeNamed(name)}) {`, pointer);
      read(node, "value", pointer);
      line("}", pointer);
    } else {
      line(`function ${own}(): ${typeNamed(name)} { return (`, pointer);
      send(node, pointer);
      line("); }", pointer);
    }
  }
  return lines;
}
