import { createRequire } from "node:module";
import { readOperations, readPrefix, type DocumentOperation } from "@trainyard/front";
import { detailStyle, errorStyle, reasonStyle, type ErrorStyle } from "./error-bodies.ts";
import type { ServiceName } from "./service-types.ts";

/** A document that the server answers for. */
export interface Contract {
  /** The service, or `local` for the control interface. */
  readonly name: ServiceName | "local";
  readonly document: object;
  /** The path in front of its own: `/inference/v1`. */
  readonly prefix: string;
  readonly operations: readonly DocumentOperation[];
  readonly style: ErrorStyle;
}

const require = createRequire(import.meta.url);

const styles: Record<ServiceName, ErrorStyle> = {
  training: detailStyle,
  inference: errorStyle,
  auxiliary: reasonStyle,
};

// Not imports: the type of a whole document would cost every program that uses the server.
const documents: Record<ServiceName, () => unknown> = {
  training: () => require("@trainyard/training/openapi.json"),
  inference: () => require("@trainyard/inference/openapi.json"),
  auxiliary: () => require("@trainyard/auxiliary/openapi.json"),
};

/** The names of the services. */
export const serviceNames: readonly ServiceName[] = ["training", "inference", "auxiliary"];

/** Reads the documents of the three services. */
export function readContracts(): Contract[] {
  return serviceNames.map((name) => readContract(name, documents[name](), styles[name]));
}

/** Reads the document of the control interface. */
export function readControlContract(): Contract {
  return readContract("local", require("@trainyard/server/control.json"), detailStyle);
}

function readContract(name: Contract["name"], document: unknown, style: ErrorStyle): Contract {
  if (typeof document !== "object" || document === null) {
    throw new TypeError(`The document of ${name} is not there. Build its package with: npx -y pnpm@12 generate`);
  }
  return { name, document, prefix: readPrefix(document), operations: readOperations(document), style };
}
