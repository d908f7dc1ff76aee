/** The form of a rule's cases: small documents, and the messages of the rule for them. Only tests use it. */
import type { JsonObject } from "@trainyard/core/validation";

/** A document; `files` are beside its `openapi.yaml`, by their paths, in which `{case}` is its folder. */
export interface Case {
  readonly document: JsonObject;
  readonly files?: Readonly<Record<string, JsonObject>>;
}

/** A document that the rule rejects: the message, and its place. */
export interface Failure extends Case {
  readonly says: string;
  readonly at: string;
  /** The file of the place, if it is not the document's own. */
  readonly file?: string;
}

/** The cases of one rule, by name. */
export interface Cases {
  readonly pass: Readonly<Record<string, Case>>;
  readonly fail: Readonly<Record<string, Failure>>;
}

/** A document with these operations, each under its method and path: `POST /things`. Undefined members are left out. */
export function documentOf(operations: Readonly<Record<string, JsonObject>>, rest: JsonObject = {}): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = name.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: { "x-basis": "interface", responses: {}, ...operation } };
  }
  return { openapi: "3.1.0", "x-trainyard": 1, info: { title: "Things", version: "1.0.0" }, paths, ...rest };
}

/** A document of one operation, `POST /things`. */
export function operationOf(operation: JsonObject, rest: JsonObject = {}): JsonObject {
  return documentOf({ "POST /things": operation }, rest);
}

/** A document with one operation that returns this schema; `schemas` has the schemas that it refers to. */
export function answerOf(schema: JsonObject, schemas: Readonly<Record<string, JsonObject>> = {}): JsonObject {
  return operationOf({ responses: { "200": contentOf({ schema }) } }, { components: { schemas } });
}

/** A request body or a response with this content as JSON. */
export function contentOf(content: JsonObject, mediaType = "application/json"): JsonObject {
  return { description: "A body.", content: { [mediaType]: content } };
}

/** Places in {@link operationOf} and {@link answerOf}. */
export const operation = "#/paths/~1things/post";
export const answer = `${operation}/responses/200/content/application~1json`;
