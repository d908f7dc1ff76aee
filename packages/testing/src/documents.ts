import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { readOperations, type DocumentOperation } from "@trainyard/front";
import type { Fits } from "./arbitrary.ts";
import { judgeOf } from "./judge.ts";
import { packages, type ServicePackage } from "./packages.ts";

/** An operation of one of our documents, with all that a test of it needs. */
export interface Case {
  readonly service: string;
  readonly document: object;
  readonly client: ServicePackage;
  readonly operation: DocumentOperation;
  /** Judges by the schema as it is written, by Ajv alone. */
  readonly fits: Fits;
}

/** All operations of all services. */
export const cases: readonly Case[] = packages.flatMap((client) => {
  const { name: service, document } = client;
  const fits = judgeOf(document);
  return readOperations(document).map((operation) => ({ service, document, client, operation, fits }));
});

/** The operations that have a method: all but those that repeat another. */
export const methodCases: readonly Case[] = cases.filter(
  ({ client, operation }) => client.operations.get(operation.name)?.path === operation.path,
);

/** The schema of a request's body. */
export function bodySchema({ document, operation }: Case): JsonObject {
  const schema = resolvePointer(document, operation.body?.schemaPointer ?? "");
  return isObject(schema) ? schema : {};
}

/** The named examples of a request's body; where there is no body, one example without any. */
export function bodyExamples({ document, operation }: Case): ReadonlyMap<string, unknown> {
  if (!operation.body) return new Map([["none", undefined]]);
  const pointer = operation.body.schemaPointer.replace(/\/schema$/, "/examples");
  const examples = Object.keys(Object(resolvePointer(document, pointer)));
  return new Map(examples.map((name) => [name, Object(followed(document, `${pointer}/${name}`)).value]));
}

/** The schema of an answer in a media type; of a stream, that of one event. */
export function answerSchema({ document, operation }: Case, status: number, type = "application/json"): unknown {
  const item = Object(resolvePointer(document, "#/paths"))[operation.path][operation.method.toLowerCase()];
  const stated = item.responses[status];
  const response = stated.$ref === undefined ? stated : followed(document, stated.$ref);
  const { schema } = Object(response).content[type];
  return schema.contentSchema ?? schema;
}

function followed(document: object, pointer: string): unknown {
  const node = resolvePointer(document, pointer);
  return isObject(node) && typeof node["$ref"] === "string" ? followed(document, node["$ref"]) : node;
}
