import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, type BundleOptions } from "./bundle.ts";
import { discriminatorFaults } from "./closed-types.ts";
import type { OpenApiDocument } from "./document.ts";
import { nameInlineSchemas } from "./inline-schemas.ts";
import { Locator } from "./locate.ts";
import { groupsOf, methodTree } from "./method-tree.ts";
import { nameFaults } from "./name-faults.ts";
import type { OperationFault } from "./operation-info.ts";
import { operationsTable } from "./operations-table.ts";
import { DocumentError } from "./problem.ts";
import type { Service } from "./service.ts";
import { sourceOf } from "./tree.ts";

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
  const { service, faults: found } = judge(name, published);
  // Other people's discriminators may leave to names what ours declare.
  const faults = [...found, ...discriminatorFaults(service.document)];
  if (faults.length === 0) return service;
  const locator = new Locator(root);
  throw new DocumentError(
    faults.map(({ pointer, message, cure }) => ({ ...locator.locate(sourceOf(name), pointer), message, cure })),
  );
}

/** Reads a bundle, and reports the parts from which no code can be generated. */
export function judge(name: string, published: OpenApiDocument): { service: Service; faults: OperationFault[] } {
  const document = nameInlineSchemas(published);
  const { operations, faults } = operationsTable(document);
  const { root: methods, faults: methodFaults } = methodTree(operations);
  const service = { name, bundle: published, document, operations, methods };
  const names = nameFaults(service, groupsOf(methods));
  return { service, faults: [...faults, ...methodFaults, ...names] };
}
