import { type JsonObject } from "@trainyard/core/validation";
import { jsonOf, readDocument, typeName, type Operation } from "@trainyard/document";
import type { Fits } from "./arbitrary.ts";
import { judgeOf } from "./judge.ts";
import { packages, type ServicePackage } from "./packages.ts";

/** An operation of one of our documents, with everything that its tests need. */
export interface Case {
  readonly service: string;
  readonly document: object;
  readonly client: ServicePackage;
  readonly operation: Operation;
  /** Creates a validator of the original schema with plain Ajv. */
  readonly fits: Fits;
}

/** All operations of all services. */
export const cases: readonly Case[] = packages.flatMap((client) => {
  const { name: service, document } = client;
  const fits = judgeOf(document);
  return readDocument(document).operations.map((operation) => ({ service, document, client, operation, fits }));
});

/** The operations that have a client method: all but aliases. */
export const methodCases: readonly Case[] = cases.filter(
  ({ client, operation }) => client.operations.get(operation.name)?.path === operation.path,
);

/** The schema of the request body. */
export function bodySchema({ operation }: Case): JsonObject {
  return (operation.body && jsonOf(operation.body.content)?.schema?.node) ?? {};
}

/** The named examples of the request body. If there is no body, one example with the value undefined. */
export function bodyExamples({ operation }: Case): ReadonlyMap<string, unknown> {
  if (!operation.body) return new Map([["none", undefined]]);
  return jsonOf(operation.body.content)?.examples ?? new Map();
}

/** The schema of a response in a media type; for a stream, of one event. */
export function answerSchema({ operation }: Case, status: number, type = "application/json"): unknown {
  const media = operation.responses.get(String(status))?.content.get(type);
  const schema = media?.item ?? media?.schema;
  return schema && (typeName(schema) === undefined ? schema.node : { $ref: schema.pointer });
}

/** The statuses that an operation declares as numbers, in the order of the document. */
export function statusesOf({ responses }: Operation): number[] {
  return [...responses.keys()].map(Number);
}

/** The named examples of a response, by media type. */
export function examplesOf(operation: Operation, status: number): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  const content = operation.responses.get(String(status))?.content ?? new Map();
  return new Map([...content.values()].map(({ mediaType, examples }) => [mediaType, examples]));
}
