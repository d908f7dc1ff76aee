import { bundle } from "@trainyard/codegen/bundle";
import { findServices, sourceOf } from "@trainyard/codegen/tree";
import { Document } from "./document.ts";
import { Failure } from "./failure.ts";
import { isObject } from "./json.ts";

/** The bundles of all services, by name. */
export type Documents = ReadonlyMap<string, Document>;

/**
 * Bundles the documents below a folder, by default of all services. @throws `DocumentError` with the faults of an invalid
 * document.
 */
export async function readDocuments(
  root: string,
  services: readonly string[] = findServices(root),
): Promise<Documents> {
  const documents = await Promise.all(
    services.map(async (service) => toDocument(service, await bundle(root, sourceOf(service)))),
  );
  return new Map(documents.map((document) => [document.service, document]));
}

/** A bundle as plain JSON, independent of its types. */
export function toDocument(service: string, value: unknown): Document {
  if (!isObject(value)) throw new Failure(`The bundle of ${service} is not an object.`);
  return new Document(service, value);
}
