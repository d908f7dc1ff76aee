/** Where the facts of the documents come from, as `pnpm contract:basis` lists them. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../places.ts";
import { isObject, type JsonObject } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import { operationAddress, schemaAddress } from "./addresses.ts";
import { textAt } from "./node.ts";
import type { Service } from "./services.ts";

export interface BasisFact {
  readonly basis: string;
  /** The operation or component that the fact belongs to. */
  readonly owner: string;
  /** The part of it; empty for all of it. */
  readonly part: string;
  /** The file that says so, in the repository. */
  readonly file: string;
  /** Its page in the reference, where it has one. */
  readonly href?: string;
}

/** Begins to list the facts of all documents, by service. */
export async function readBasis(services: readonly Service[]): Promise<Map<string, BasisFact[]>> {
  const command = [join(root, "packages/contract/src/cli.ts"), "basis", "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@trainyard/source", ...command], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  const report: unknown = JSON.parse(stdout);
  return new Map(
    objectsAt(report, "services").map((entry) => {
      const service = services.find(({ name }) => name === entry["service"]);
      return [textAt(entry, "service"), objectsAt(entry, "facts").map((fact) => factOf(fact, service))];
    }),
  );
}

function factOf(fact: JsonObject, service: Service | undefined): BasisFact {
  const place = textAt(fact, "place");
  const schema = /^([A-Z]\w*)(?:\.(.*))?$/.exec(place);
  const [owner = "", ...parts] = schema === null ? place.split(" › ") : [schema[1], schema[2] ?? ""];
  const operation = service?.document.operations.find(
    ({ clientMethod, method, path }) => owner === (clientMethod ?? `${method} ${path}`),
  );
  const href = service && hrefOf(service, operation, schema === null ? undefined : owner);
  return {
    basis: textAt(fact, "basis"),
    owner: owner === "info" ? "the version of the document" : (operation?.clientMethod ?? owner),
    part: parts.filter((part) => part !== "").join(" › "),
    file: textAt(fact, "file"),
    ...(href === undefined ? {} : { href }),
  };
}

function hrefOf(service: Service, operation: Operation | undefined, schema: string | undefined): string | undefined {
  if (operation !== undefined) return operationAddress(service, operation);
  const known = schema !== undefined && service.document.schemas.has(schema);
  return known ? schemaAddress(service, schema) : undefined;
}

function objectsAt(holder: unknown, key: string): JsonObject[] {
  const list = isObject(holder) ? holder[key] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** How many facts there are of each basis. */
export function countBasis(facts: readonly BasisFact[]): {
  all: number;
  interface: number;
  adopted: number;
  proposed: number;
} {
  const count = (basis: string): number => facts.filter((fact) => fact.basis === basis).length;
  return { all: facts.length, interface: count("interface"), adopted: count("adopted"), proposed: count("proposed") };
}
