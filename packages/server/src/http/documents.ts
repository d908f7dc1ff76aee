import type { Document } from "@trainyard/document";
import { servedDocument } from "../console/routes.ts";
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
  return (contracts ??= all.map(([name, read]) => ({ name, document: servedDocument(name, Object(read())) })));
}
