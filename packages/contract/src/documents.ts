import { bundle, DocumentError, findServices, type Problem, sourceOf } from "@trainyard/document/files";
import { type Document, toDocument } from "./document.ts";

/** The bundles of all services, by name. */
export type Documents = ReadonlyMap<string, Document>;

/** One side of a comparison. */
export interface Snapshot {
  /** The folder with the documents. */
  readonly root: string;
  readonly documents: Documents;
  /** What is wrong with the documents that cannot be read, by service. */
  readonly faults: ReadonlyMap<string, readonly Problem[]>;
}

/**
 * Bundles the documents below `root`, each service by itself.
 *
 * @param strict whether each part is validated
 */
export async function readSnapshot(root: string, wanted: readonly string[], strict = true): Promise<Snapshot> {
  const documents = new Map<string, Document>();
  const faults = new Map<string, readonly Problem[]>();
  const read = async (service: string): Promise<void> => {
    try {
      documents.set(service, toDocument(service, await bundle(root, sourceOf(service), { strict })));
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

/**
 * Bundles the documents of all services below a folder.
 *
 * @throws `DocumentError` with the faults of an invalid document.
 */
export async function readDocuments(root: string): Promise<Documents> {
  const { documents, faults } = await readSnapshot(root, findServices(root));
  if (faults.size > 0) throw new DocumentError([...faults.values()].flat());
  return new Map([...documents].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
