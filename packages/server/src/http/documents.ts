import { createRequire } from "node:module";
import { readDocument, type Document } from "@trainyard/document";
import type { ServiceName } from "./service-types.ts";

/** A document that the server answers for. */
export interface Contract {
  readonly name: ServiceName;
  readonly document: Document;
}

const require = createRequire(import.meta.url);

// Not imports: the type of a whole document would cost every program that uses the server.
const documents: Record<ServiceName, () => unknown> = {
  training: () => require("@trainyard/training/openapi.json"),
  inference: () => require("@trainyard/inference/openapi.json"),
  auxiliary: () => require("@trainyard/auxiliary/openapi.json"),
  local: () => require("@trainyard/local/openapi.json"),
};

/** The names of the services, and of the control interface. */
export const serviceNames: readonly ServiceName[] = ["training", "inference", "auxiliary", "local"];

let contracts: Contract[] | undefined;

/** The documents that the server answers for, which one process reads once. */
export function readContracts(): readonly Contract[] {
  contracts ??= serviceNames.map((name) => ({ name, document: readBundle(name, documents[name]()) }));
  return contracts;
}

function readBundle(name: string, bundle: unknown): Document {
  if (typeof bundle === "object" && bundle !== null) return readDocument(bundle);
  throw new TypeError(`The document of ${name} is not there. Build its package with: npx -y pnpm@12 generate`);
}
