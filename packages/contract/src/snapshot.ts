import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DocumentError, findServices, type Problem } from "@trainyard/document/files";
import { type Document, toDocument } from "./document.ts";
import { type Documents, readDocuments } from "./documents.ts";

/** One side of a comparison: documents, and the clients generated from them. */
export interface Snapshot {
  readonly documents: Documents;
  /** The folder of the clients. */
  readonly clients: string;
  /** Why a document has no client, by service. */
  readonly refusals: ReadonlyMap<string, string>;
  /** What is wrong with the documents that cannot be read, by service. */
  readonly faults: ReadonlyMap<string, readonly Problem[]>;
}

/**
 * Bundles the documents below `root`, and generates their clients into a folder, each service by itself. Writes nothing below
 * `root`.
 */
export async function readSnapshot(root: string, folder: string, wanted: readonly string[]): Promise<Snapshot> {
  const services = findServices(root).filter((service) => wanted.includes(service));
  // A document may refer to the folder of another service.
  if (services.length > 0) cpSync(join(root, "openapi"), join(folder, "openapi"), { recursive: true });
  // The generator contains a compiler, which takes a second to load.
  const { generate } = await import("@trainyard/codegen/generate");
  const documents = new Map<string, Document>();
  const refusals = new Map<string, string>();
  const faults = new Map<string, readonly Problem[]>();
  const read = async (service: string): Promise<void> => {
    // The generator creates a client for each existing package.
    mkdirSync(join(folder, "packages", service), { recursive: true });
    writeFileSync(join(folder, "packages", service, "package.json"), "{}");
    try {
      await generate(folder, { changed: [service] });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      refusals.set(service, error.message);
      for (const [name, document] of await readDocuments(folder, [service])) documents.set(name, document);
      return;
    }
    const bundle: unknown = JSON.parse(readFileSync(join(clientFolder(folder, service), "openapi.json"), "utf8"));
    documents.set(service, toDocument(service, bundle));
  };
  const results = await Promise.allSettled(services.map(read));
  for (const [index, result] of results.entries()) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof DocumentError)) throw result.reason;
    faults.set(services[index] ?? "", result.reason.problems);
  }
  return { documents, clients: folder, refusals, faults };
}

/** The folder of a service's generated files. */
export function clientFolder(folder: string, service: string): string {
  return join(folder, "packages", service, "src/generated");
}
