/**
 * What the references show beyond the documents themselves: samples, where a fact comes from, how to call and resend, and the
 * items of a stream. The documents that people download have none of it.
 */
import { anchorName, operationObjects, type Document } from "./document.ts";
import { isObject, objectAt, objectsIn, stringAt, type JsonObject } from "./json.ts";
import { samplesOf } from "./samples.ts";

const resends: Record<string, string> = {
  always: "yes",
  "with-key": "only with an `Idempotency-Key`",
  never: "no",
};

/** The part of a document that the references are made of. */
export type Source = Pick<Document, "service" | "read">;

/** The copy of a document that Redoc renders. */
export function decorate(document: Source): JsonObject {
  const decorated = withFacts(document);
  for (const { operation, method } of methodsOf(decorated)) {
    operation["x-codeSamples"] = samplesOf(document.service, method).map((sample) => ({ ...sample }));
    // It becomes the address of the operation.
    operation["operationId"] = anchorName(operation);
  }
  for (const [object, path] of objectsIn(decorated)) {
    // A schema has a page of its own, whose heading takes no badge.
    if (path.length === 3 && path[1] === "schemas") sayBasis(object);
    else showBasis(object);
  }
  return decorated;
}

/** The copy of a document that becomes Markdown: its samples are part of the text. */
export function decorateText(document: Source): JsonObject {
  const decorated = withFacts(document);
  for (const { operation, method } of methodsOf(decorated)) {
    const samples = samplesOf(document.service, method).map(
      ({ lang, source }) => `\`\`\`${lang === "curl" ? "sh" : lang}\n${source}\n\`\`\``,
    );
    operation["description"] = [stringAt(operation, "description"), ...samples].join("\n\n");
  }
  return decorated;
}

function withFacts(document: Source): JsonObject {
  const copy = document.read();
  for (const { operation } of operationObjects(copy)) {
    operation["description"] = `${stringAt(operation, "description") ?? ""}\n\n${facts(document.service, operation)}`;
  }
  for (const [object] of objectsIn(copy)) showStreamItems(object);
  return copy;
}

/** The operations with the method that samples show: of an alias, that of the operation that it repeats. */
function methodsOf(document: JsonObject): { operation: JsonObject; method: string }[] {
  const all = [...operationObjects(document)].map(({ operation }) => operation);
  const methods = new Map(all.map((operation) => [operation["operationId"], stringAt(operation, "x-client-method")]));
  return all.map((operation) => {
    const method = stringAt(operation, "x-client-method") ?? methods.get(operation["x-alias-of"]);
    return { operation, method: method ?? "" };
  });
}

/** The facts of an operation that stand in keys of ours, as a list that a reader can scan. */
function facts(service: string, operation: JsonObject): string {
  const method = stringAt(operation, "x-client-method");
  const alias = stringAt(operation, "x-alias-of");
  const timeout = operation["x-timeout"];
  return [
    method === undefined ? `Same as: \`${alias ?? ""}\`` : `Client: \`${service}.${method}\``,
    `Id: \`${stringAt(operation, "operationId") ?? ""}\``,
    `May be sent again: ${resends[stringAt(operation, "x-resend") ?? "never"] ?? "no"}`,
    `One attempt may take: ${typeof timeout === "number" ? timeout : 60} s`,
  ]
    .map((fact) => `- ${fact}`)
    .join("\n");
}

/** Redoc shows the schema of a stream as `string`: what a reader needs is its items. */
function showStreamItems(object: JsonObject): void {
  const stream = objectAt(object, "text/event-stream");
  const schema = objectAt(stream, "schema");
  const item = schema["contentSchema"];
  if (!isObject(item)) return;
  stream["schema"] = {
    title: "Each event of the stream",
    description: stringAt(schema, "description"),
    allOf: [item],
    "x-basis": schema["x-basis"],
  };
}

/** Redoc writes a badge's color into its class: the style sheet of the references knows these. */
function showBasis(object: JsonObject): void {
  const basis = stringAt(object, "x-basis");
  if (basis === undefined) return;
  object["x-badges"] = [{ name: basis, position: "after", color: `basis-${basis}` }];
}

function sayBasis(schema: JsonObject): void {
  const basis = stringAt(schema, "x-basis");
  if (basis !== undefined) schema["description"] = `${stringAt(schema, "description") ?? ""}\n\nBasis: *${basis}*`;
}
