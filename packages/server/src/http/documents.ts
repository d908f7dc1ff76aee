import { createRequire } from "node:module";
import { readDocument, type Document } from "@trainyard/document";
import type { ServiceName } from "./service-types.ts";

/** A document that the server answers for. */
export interface Contract {
  /** The service, or `local` for the control interface. */
  readonly name: ServiceName | "local";
  readonly document: Document;
}

const require = createRequire(import.meta.url);

// Not imports: the type of a whole document would cost every program that uses the server.
const documents: Record<ServiceName, () => unknown> = {
  training: () => require("@trainyard/training/openapi.json"),
  inference: () => require("@trainyard/inference/openapi.json"),
  auxiliary: () => require("@trainyard/auxiliary/openapi.json"),
};

/** The names of the services. */
export const serviceNames: readonly ServiceName[] = ["training", "inference", "auxiliary"];

let contracts: Contract[] | undefined;

/** The documents of the three services, which one process reads once. */
export function readContracts(): readonly Contract[] {
  contracts ??= serviceNames.map((name) => ({ name, document: readBundle(name, documents[name]()) }));
  return contracts;
}

/** Reads the document of the control interface. */
export function readControlContract(): Contract {
  return { name: "local", document: readBundle("local", require("@trainyard/server/control.json")) };
}

function readBundle(name: string, bundle: unknown): Document {
  if (typeof bundle === "object" && bundle !== null) return readDocument(bundle);
  throw new TypeError(`The document of ${name} is not there. Build its package with: npx -y pnpm@12 generate`);
}
