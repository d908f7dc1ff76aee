import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { joinPointer } from "@trainyard/core/validation";
import {
  derivedFacts,
  derivedOptions,
  markSince,
  readDocument,
  variableName,
  type DerivedFact,
  type Document,
} from "@trainyard/document";
import {
  bundle,
  type BundleOptions,
  DocumentError,
  Locator,
  type OpenApiDocument,
  sourceOf,
} from "@trainyard/document/files";
import { discriminatorFaults } from "./closed-types.ts";
import { groupsOf, methodTree } from "./method-tree.ts";
import { groupFaults, operationIdFaults, schemaNameFaults } from "./name-faults.ts";
import type { OperationFault } from "./operation-info.ts";
import { operationsTable } from "./operations-table.ts";
import { readReleases } from "./releases.ts";
import { nameSchemas, type NamedDocument } from "./schema-names.ts";
import { variablesOf } from "./schemes.ts";
import type { Service } from "./service.ts";

/**
 * Bundles the documents of a service, and checks that code can be generated from them.
 *
 * @throws {@link DocumentError} with every fault, each at its file and line.
 */
export async function readService(
  root: string,
  name: string,
  options: Omit<BundleOptions, "earlier"> = {},
): Promise<Service> {
  const written = join(root, "packages", name, "src/generated/openapi.json");
  const earlier = existsSync(written) ? readFileSync(written, "utf8") : undefined;
  const published = await bundle(root, sourceOf(name), { ...options, earlier });
  const releases = readReleases(root);
  const dated = releases.length === 0 ? published : structuredClone(published);
  markSince(dated, name, releases);
  const read = readDocument(dated);
  const judged = judge(name, dated, read);
  const { faults: found, renamed } = judged;
  const { operations } = judged.service;
  const variables = variablesOf(operations, "TRAINYARD", variableName("TRAINYARD", name, "url"));
  const service = { ...judged.service, bundle: published, variables, identity: "trainyard-client" };
  // Other people's documents may leave to names what ours declare.
  const faults = [
    ...found,
    ...operationIdFaults(read),
    ...schemaNameFaults(published, renamed),
    ...discriminatorFaults(service.document),
  ];
  if (faults.length === 0) return service;
  const locator = new Locator(root);
  throw new DocumentError(
    faults.map(({ pointer, message, cure }) => ({ ...locator.locate(sourceOf(name), pointer), message, cure })),
  );
}

/** A service, and the parts of its document from which no code can be generated. */
export interface Judgement {
  readonly service: Service;
  readonly faults: readonly OperationFault[];
  /** The components whose types have another name. */
  readonly renamed: NamedDocument["renamed"];
  /** What the document leaves out and is derived. */
  readonly derived: readonly DerivedFact[];
}

/** Reads a bundle, and reports the parts from which no code can be generated. */
export function judge(
  name: string,
  published: OpenApiDocument,
  read: Pick<Document, "operations" | "tags"> = readDocument(published),
): Judgement {
  const { document, renamed, split } = nameSchemas(name, published, read);
  const { operations, faults } = operationsTable(document);
  const { root: methods, faults: methodFaults } = methodTree(operations);
  const service = { name, bundle: published, document, tags: read.tags, operations, methods };
  const types = [...renamed].map(([component, { name: type, reason }]) => ({
    name: type,
    place: joinPointer("#/components/schemas", component),
    reasons: [`type of the schema ${component}, which ${reason}`],
  }));
  const reasons = ["type of this schema in requests, which require other properties"];
  const writes = [...split].map(([place, type]) => ({ name: type, place, reasons }));
  return {
    service,
    faults: [...faults, ...methodFaults, ...groupFaults(operations, groupsOf(methods))],
    renamed,
    derived: [...derivedFacts(read), ...derivedOptions(read), ...types, ...writes],
  };
}
