import { bundle, findServices, sourceOf } from "@trainyard/document/files";
import { type Document, toDocument } from "./document.ts";

/** The bundles of all services, by name. */
export type Documents = ReadonlyMap<string, Document>;

/**
 * Bundles the documents below a folder, by default of all services. Each part is validated, unless they were validated before.
 *
 * @throws `DocumentError` with the faults of an invalid document.
 */
export async function readDocuments(
  root: string,
  services: readonly string[] = findServices(root),
  strict = true,
): Promise<Documents> {
  const documents = await Promise.all(
    services.map(async (service) => toDocument(service, await bundle(root, sourceOf(service), { strict }))),
  );
  return new Map(documents.map((document) => [document.service, document]));
}
