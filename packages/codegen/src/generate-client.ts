import { resolve } from "node:path";
import type { DerivedFact } from "@trainyard/document";
import { clientBanner, clientName, replaceFiles, requireOwn } from "./client-folder.ts";
import { clientSource } from "./client-writer.ts";
import { schemasOf, type OpenApiDocument } from "./document.ts";
import { difference, type Difference, type Files } from "./files.ts";
import { leaveOut, type LeftOut } from "./left-out.ts";
import { missedActions, type OverlayAction, readOverlay } from "./overlay/overlay.ts";
import { DocumentError, type Problem } from "./problem.ts";
import { readFile, type ReadOptions } from "./read-file.ts";
import { judge } from "./read-service.ts";
import { schemaTypes } from "./schema-types.ts";
import type { Service } from "./service.ts";
import { typedValidators } from "./validators.ts";

export interface ClientOptions extends Pick<ReadOptions, "root" | "allow"> {
  /** The folder of the client. It is an error if it has files of others. */
  readonly out: string;
  /** Files of overlays, in this order. */
  readonly overlays?: readonly string[];
  /** Compares, and writes nothing. Default: false. */
  readonly check?: boolean;
  /** Whether an operation that cannot be generated is an error. Default: false. */
  readonly strict?: boolean;
}

/** What was generated from somebody's document. */
export interface ClientReport {
  /** What the document does not declare, without what is left out. */
  readonly derived: readonly DerivedFact[];
  readonly operations: number;
  readonly files: number;
  readonly difference: Difference;
  readonly leftOut: readonly LeftOut[];
  /** Why that is left out, with places and cures. */
  readonly problems: readonly Problem[];
  /** What the upgrade of the document changed. */
  readonly notes: readonly string[];
  /** The overlay actions that had no effect. */
  readonly missed: readonly string[];
}

/**
 * Generates a client from anybody's document: types, methods and validators. What cannot be generated is left out. Everything is
 * generated in memory first, so that an error leaves the existing files unchanged.
 *
 * @throws {@link DocumentError} if the document cannot be read, or the folder has files of others.
 */
export async function generateClient(path: string, options: ClientOptions): Promise<ClientReport> {
  const { root = process.cwd(), out, strict = false, check = false } = options;
  const folder = resolve(root, out);
  requireOwn(folder, out);
  const overlays = (options.overlays ?? []).map((file) => readOverlay(file));
  const matched = new Set<OverlayAction>();
  const read = await readFile(path, { ...options, overlays, matched });
  // A client has no webhooks, and shows no examples. Both can be most of a document.
  const { webhooks: _, components: { examples: __, ...components } = {}, ...rest } = read.document;
  const { service, derived, leftOut } = generatable(clientName(folder), { ...rest, components });
  const problems = leftOut.map(({ what, fault: { pointer, message, cure } }) => ({
    ...read.locate(pointer),
    message: `${what.join(", ")} cannot be generated: ${message}`,
    cure,
  }));
  if ((strict && problems.length > 0) || service.operations.length === 0) {
    const nothing = { file: path, message: "The document has no operation that can be generated.", cure: "Add one." };
    throw new DocumentError(problems.length > 0 ? problems : [nothing]);
  }
  const files = await filesOf(service);
  return {
    derived: [...derived, ...read.derived],
    operations: service.operations.length,
    files: files.size,
    difference: (check ? difference : replaceFiles)(folder, files),
    leftOut,
    problems,
    notes: read.notes,
    missed: missedActions(overlays, matched, () => path),
  };
}

type Generatable = Pick<ClientReport, "derived" | "leftOut"> & { readonly service: Service };

/** The part of a document from which a client can be generated, and the operations that it lacks. */
function generatable(name: string, document: OpenApiDocument): Generatable {
  const { service, faults, derived } = judge(name, document);
  if (faults.length === 0) return { service, derived, leftOut: [] };
  const { document: rest, leftOut } = leaveOut(service.document, faults);
  const next = generatable(name, rest);
  // The types of the rest have their names already.
  const types = derived.filter(({ name: type }) => type in schemasOf(rest));
  return { ...next, derived: [...next.derived, ...types], leftOut: [...leftOut, ...next.leftOut] };
}

async function filesOf(service: Service): Promise<Files> {
  const further = 'export * from "@trainyard/core";\nexport type * from "./schema.js";\n';
  const types = await schemaTypes(service.document, service.operations, false);
  return new Map([
    ["index.ts", `${clientSource(service, clientBanner, "./schema.js")}\n${further}`],
    ["schema.ts", `${clientBanner}\n${types}`],
    ["validators.ts", clientBanner + (await typedValidators(service.document))],
  ]);
}
