import { readFileSync } from "node:fs";
import { join, parse, resolve } from "node:path";
import { joinPointer, pointerTokens } from "@trainyard/core/validation";
import {
  jsonOf,
  pascalCase,
  readDocument,
  typeName,
  unreadIn,
  type DerivedFact,
  type Document,
} from "@trainyard/document";
import { clientName, replaceFiles, requireOwn } from "./client-folder.ts";
import { clientSource } from "./client-writer.ts";
import {
  DocumentError,
  missedActions,
  type OpenApiDocument,
  type OverlayAction,
  type Problem,
  readFile,
  type ReadOptions,
  readOverlay,
  schemaAt,
  schemasOf,
  type Schema,
} from "@trainyard/document/files";
import { engineFiles, isEdited } from "./engine-files.ts";
import { clientBanner, difference, list, type Difference, type Files } from "./files.ts";
import { leaveOut, type LeftOut } from "./left-out.ts";
import { operationIdFaults } from "./name-faults.ts";
import { judge } from "./read-service.ts";
import { schemaTypes } from "./schema-types.ts";
import { variablesOf } from "./schemes.ts";
import { copied, packaged, type Service } from "./service.ts";
import type { Unwritten, Validated } from "./validators.ts";

export interface ClientOptions extends Pick<ReadOptions, "root" | "allow"> {
  /** The folder of the client. It is an error if it has files of others. */
  readonly out: string;
  /** The name of the client. Default: the document's title, then the name of its file. */
  readonly name?: string | undefined;
  /** What the names of its environment variables begin with. Default: the client reads none. */
  readonly env?: string | undefined;
  /** Files of overlays, in this order. */
  readonly overlays?: readonly string[];
  /** Compares, and writes nothing. Default: false. */
  readonly check?: boolean;
  /** What `validators.ts` has: nothing, then there is no such file, or validators of requests, or also of answers. Default: none. */
  readonly validators?: Validated | "none";
  /** Whether the engine is written beside the client, into `core/`, and imported from there. Default: false. */
  readonly copied?: boolean;
  /** Whether an operation that cannot be generated is an error. Default: false. */
  readonly strict?: boolean;
}

/** What was generated from somebody's document. */
export interface ClientReport {
  /** The function that creates the client: `createPetsClient`. */
  readonly client: string;
  /** The environment variables that it reads. */
  readonly variables: readonly string[];
  /** What the document does not declare, without what is left out. */
  readonly derived: readonly DerivedFact[];
  readonly operations: number;
  /** Without those of the engine. */
  readonly files: number;
  readonly difference: Difference;
  /** The files of the engine that were edited by hand before this run. */
  readonly edited: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Why that is left out, and that the document names no client, with places and cures. */
  readonly problems: readonly Problem[];
  /** What the upgrade of the document changed, and what it requires and does not declare. */
  readonly notes: readonly string[];
  /** How many notes there are. To read them takes longer, because each has its place. */
  readonly noteCount: number;
  /** Further notes, for who asks for every detail. */
  readonly details: readonly string[];
  /** The overlay actions that had no effect. */
  readonly missed: readonly string[];
}

/**
 * Generates a client from anybody's document: types, methods and validators. What cannot be generated is left out. Everything is
 * generated in memory first, so that an error leaves the existing files unchanged.
 *
 * @throws {@link DocumentError} if the document cannot be read, or the folder has files of others; Error if `name` or `env` is
 * no name.
 */
export async function generateClient(path: string, options: ClientOptions): Promise<ClientReport> {
  const { root = process.cwd(), out, name: own, env, strict = false, check = false, validators = "none" } = options;
  if (own !== undefined && clientName(own) === undefined)
    throw new Error(`--name must have letters of A to Z, such as pets, and not be only "${own}".`);
  if (env !== undefined && !/^[A-Za-z_]\w*$/.test(env))
    throw new Error(
      `--env must be the beginning of a variable's name, of letters, digits and underscores, such as PETS, and not "${env}".`,
    );
  const folder = resolve(root, out);
  requireOwn(folder, out);
  const overlays = (options.overlays ?? []).map((file) => readOverlay(file));
  const matched = new Set<OverlayAction>();
  const read = await readFile(path, { ...options, overlays, matched });
  // A client has no webhooks, and shows no examples. Both can be most of a document.
  const { webhooks: _, components: { examples: __, ...shared } = {}, ...rest } = read.document;
  const isTypes = Object.keys(rest.paths).length === 0;
  const components = isTypes ? { ...shared, schemas: { ...hookSchemas(read.document), ...shared.schemas } } : shared;
  const named = clientName(own ?? rest.info.title ?? "");
  const name = named ?? clientName(parse(path).name) ?? "api";
  const generated = generatable(name, { ...rest, components }, read.read);
  const { service: judged, derived } = generated;
  const unread = unreadIn(read.read).map(({ pointer, ...said }) => ({
    ...said,
    pointer: pointerTokens(pointer),
  }));
  const leftOut = [
    ...unread.map((fault): LeftOut => ({ what: [joinPointer("#", ...fault.pointer)], fault })),
    ...generated.leftOut,
  ];
  const core = options.copied ? copied : packaged;
  const service = { ...judged, core, ...(env !== undefined && { variables: variablesOf(judged.operations, env) }) };
  const undeclared: string[] = [];
  const unwritten: Unwritten = new Map();
  const files = await filesOf(service, validators, unwritten, (sentence) => undeclared.push(sentence));
  for (const [schema, message] of unwritten) {
    const fault = {
      pointer: pointerTokens(joinPointer("#/components/schemas", schema)),
      message,
      cure: "Correct the schema of this type.",
    };
    leftOut.push({ what: [`The validator of ${schema}`], fault });
  }
  const problems = leftOut.map(({ what, fault: { pointer, message, cure } }) => ({
    ...read.locate(pointer),
    message: `${what.join(", ")} cannot be generated: ${message}`,
    cure,
  }));
  const isEmpty = service.operations.length === 0 && !(isTypes && Object.keys(components.schemas ?? {}).length > 0);
  if ((strict && problems.length > 0) || isEmpty) {
    const message = "The document has no operation that can be generated.";
    const nothing = { ...read.locate([]), message, cure: "Add one." };
    throw new DocumentError(problems.length > 0 ? problems : [nothing]);
  }
  const repeated = operationIdFaults(read.read, pascalCase).map(({ pointer, ...said }) => ({
    ...read.locate(pointer),
    ...said,
  }));
  const told = [...problems, ...repeated];
  const isNeeded = [...files.values()].some((text) => text.includes(` from "${copied()}"`));
  const engine = isNeeded ? engineFiles() : new Map<string, string>();
  // After `requireOwn`, `core` is ours, or is not there.
  const edited = list(join(folder, "core"))
    .map((file) => `core/${file}`)
    .filter((file) => isEdited(readFileSync(join(folder, file), "utf8")));
  const message = "The document has no title that can name the client, so the name of the file does.";
  const cure = "Pass `--name`, or write `info.title` with letters of A to Z.";
  return {
    client: `create${pascalCase(name)}Client`,
    variables: Object.values(service.variables ?? {}),
    derived: [...derived, ...read.derived],
    operations: service.operations.length,
    files: files.size,
    difference: (check ? difference : replaceFiles)(folder, new Map([...files, ...engine])),
    edited,
    leftOut,
    problems: named === undefined ? [...told, { ...read.locate(["info"]), message, cure }] : told,
    get notes() {
      return [...read.notes, ...undeclared];
    },
    noteCount: read.noteCount + undeclared.length,
    get details() {
      return read.details;
    },
    missed: missedActions(overlays, matched, () => path),
  };
}

type Generatable = Pick<ClientReport, "derived" | "leftOut"> & { readonly service: Service };

/** The part of a document from which a client can be generated, and the operations that it lacks. */
function generatable(name: string, document: OpenApiDocument, read?: Document): Generatable {
  const { service, faults, derived } = judge(name, document, read);
  if (faults.length === 0) return { service, derived, leftOut: [] };
  const { document: rest, leftOut } = leaveOut(service.document, faults);
  const next = generatable(name, rest);
  // The types of the rest have their names already.
  const types = derived.filter(({ name: type }) => type in schemasOf(rest));
  return { ...next, derived: [...next.derived, ...types], leftOut: [...leftOut, ...next.leftOut] };
}

/** The types of what webhooks send, if no component has them. */
function hookSchemas({ webhooks, ...document }: OpenApiDocument): Record<string, Schema> {
  const hooks = Object.entries(Object(webhooks)).map(([name, item]) => [`/${name}`, item]);
  const { operations } = readDocument({ ...document, paths: Object.fromEntries(hooks) });
  const schemas = operations.flatMap(({ path, body }): [string, Schema][] => {
    const schema = body && jsonOf(body.content)?.schema;
    return schema === undefined || typeName(schema) ? [] : [[`${pascalCase(path)}Webhook`, schemaAt(schema)]];
  });
  return Object.fromEntries(schemas);
}

async function filesOf(
  service: Service,
  validators: Validated | "none",
  unwritten: Unwritten,
  note: (sentence: string) => unknown,
): Promise<Files> {
  const { core = packaged } = service;
  if (service.operations.length === 0)
    return new Map([
      ["index.ts", `${clientBanner}export type * from "./schema.js";\n`],
      ["schema.ts", `${clientBanner}\n${await schemaTypes(service.document, [], { hasPaths: false, core, note })}`],
    ]);
  const further = `export * from "${core()}";\nexport type * from "./schema.js";\n`;
  const types = await schemaTypes(service.document, service.operations, { hasPaths: false, core, note });
  const files = new Map([
    ["index.ts", `${clientSource(service, clientBanner, "./schema.js", false)}\n${further}`],
    ["schema.ts", `${clientBanner}\n${types}`],
  ]);
  if (validators === "none") return files;
  // Ajv and esbuild are loaded for them alone.
  const { typedValidators } = await import("./validators.ts");
  const text = await typedValidators(service.document, validators, core, unwritten);
  return files.set("validators.ts", `${clientBanner}\n${text}`);
}
