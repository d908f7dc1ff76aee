import { readDocument, type Document } from "@trainyard/document";
import { serviceDocuments } from "../generated/services.ts";

/** A document that the server serves. */
export interface Contract {
  readonly name: string;
  readonly document: Document;
}

let contracts: Contract[] | undefined;

/** The documents that the server serves. They are read once per process. */
export function readContracts(): readonly Contract[] {
  const all = Object.entries<() => unknown>(serviceDocuments);
  contracts ??= all.map(([name, read]) => ({ name, document: readBundle(name, read()) }));
  return contracts;
}

function readBundle(name: string, bundle: unknown): Document {
  if (typeof bundle === "object" && bundle !== null) return readDocument(bundle);
  throw new TypeError(`The document of ${name} is not there. Build its package with: npx -y pnpm@12 generate`);
}
