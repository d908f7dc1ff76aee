import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DocumentError } from "@trainyard/codegen/problem";
import { findServices } from "@trainyard/codegen/tree";
import { toDocument } from "./document.ts";
import { type Documents, readDocuments } from "./documents.ts";

/** One side of a comparison: documents, and the clients generated from them. */
export interface Snapshot {
  readonly documents: Documents;
  /** The folder of the clients; undefined if they cannot be generated, with the reason. */
  readonly clients?: string;
  readonly refusal?: string;
}

/**
 * Bundles the documents below `root`, and generates their clients into a folder. Writes nothing below `root`.
 *
 * @throws `DocumentError` with the faults of an invalid document.
 */
export async function readSnapshot(root: string, folder: string, wanted: readonly string[]): Promise<Snapshot> {
  const services = findServices(root).filter((service) => wanted.includes(service));
  // A document may refer to the folder of another service.
  if (services.length > 0) cpSync(join(root, "openapi"), join(folder, "openapi"), { recursive: true });
  for (const service of services) {
    // The generator creates a client for each existing package.
    mkdirSync(join(folder, "packages", service), { recursive: true });
    writeFileSync(join(folder, "packages", service, "package.json"), "{}");
  }
  // The generator contains a compiler, which takes a second to load.
  const { generate } = await import("@trainyard/codegen/generate");
  try {
    await generate(folder);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { documents: await readDocuments(root, services), refusal: error.message };
  }
  const documents = services.map((service) => {
    const bundle: unknown = JSON.parse(readFileSync(join(clientFolder(folder, service), "openapi.json"), "utf8"));
    return [service, toDocument(service, bundle)] as const;
  });
  return { documents: new Map(documents), clients: folder };
}

/** The folder of a service's generated files. */
export function clientFolder(folder: string, service: string): string {
  return join(folder, "packages", service, "src/generated");
}
