import { type JsonObject } from "@trainyard/core/validation";
import { jsonOf, readDocument, typeName, type Operation } from "@trainyard/document";
import type { Fits } from "./arbitrary.ts";
import { judgeOf } from "./judge.ts";
import { packages, type ServicePackage } from "./packages.ts";

/** An operation of one of our documents, with all that a test of it needs. */
export interface Case {
  readonly service: string;
  readonly document: object;
  readonly client: ServicePackage;
  readonly operation: Operation;
  /** Judges by the schema as it is written, by Ajv alone. */
  readonly fits: Fits;
}

/** All operations of all services. */
export const cases: readonly Case[] = packages.flatMap((client) => {
  const { name: service, document } = client;
  const fits = judgeOf(document);
  return readDocument(document).operations.map((operation) => ({ service, document, client, operation, fits }));
});

/** The operations that have a method: all but those that repeat another. */
export const methodCases: readonly Case[] = cases.filter(
  ({ client, operation }) => client.operations.get(operation.name)?.path === operation.path,
);

/** The schema of a request's body. */
export function bodySchema({ operation }: Case): JsonObject {
  return (operation.body && jsonOf(operation.body.content)?.schema?.node) ?? {};
}

/** The named examples of a request's body; where there is no body, one example without any. */
export function bodyExamples({ operation }: Case): ReadonlyMap<string, unknown> {
  if (!operation.body) return new Map([["none", undefined]]);
  return jsonOf(operation.body.content)?.examples ?? new Map();
}

/** The schema of an answer in a media type; of a stream, that of one event. */
export function answerSchema({ operation }: Case, status: number, type = "application/json"): unknown {
  const media = operation.responses.get(String(status))?.content.get(type);
  const schema = media?.item ?? media?.schema;
  return schema && (typeName(schema) === undefined ? schema.node : { $ref: schema.pointer });
}

/** The statuses that an operation declares as numbers, in the order of the document. */
export function statusesOf({ responses }: Operation): number[] {
  return [...responses.keys()].map(Number);
}

/** The named examples of an answer, by media type. */
export function examplesOf(operation: Operation, status: number): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  const content = operation.responses.get(String(status))?.content ?? new Map();
  return new Map([...content.values()].map(({ mediaType, examples }) => [mediaType, examples]));
}
