import { DocumentError, type Problem } from "@trainyard/document/files";
import { findServices } from "@trainyard/document/files";
import type { Document } from "./document.ts";
import { type Documents, readDocuments } from "./documents.ts";

/** One side of a comparison. */
export interface Snapshot {
  /** The folder with the documents. */
  readonly root: string;
  readonly documents: Documents;
  /** What is wrong with the documents that cannot be read, by service. */
  readonly faults: ReadonlyMap<string, readonly Problem[]>;
}

/** Bundles the documents below `root`, each service by itself. */
export async function readSnapshot(root: string, wanted: readonly string[], strict = true): Promise<Snapshot> {
  const documents = new Map<string, Document>();
  const faults = new Map<string, readonly Problem[]>();
  const read = async (service: string): Promise<void> => {
    try {
      for (const [name, document] of await readDocuments(root, [service], strict)) documents.set(name, document);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      faults.set(service, error.problems);
    }
  };
  await Promise.all(
    findServices(root)
      .filter((service) => wanted.includes(service))
      .map(read),
  );
  return { root, documents, faults };
}
