import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { camelCase, pascalCase, rulesIn, withoutForeignWords } from "@trainyard/document";
import { stringify } from "yaml";
import {
  type BundleOptions,
  bundleText,
  DocumentError,
  findServices,
  missedActions,
  type OverlayAction,
  parseFile,
  type Problem,
  readOverlay,
} from "@trainyard/document/files";
import { clientSource, httpSource } from "./client-writer.ts";
import type { TypesAccept } from "./closed-types.ts";
import { replaceFiles } from "./client-folder.ts";
import { describeDifference, difference, type Difference, type Files } from "./files.ts";
import { count } from "./names.ts";
import { readService } from "./read-service.ts";
import { schemaTypes } from "./schema-types.ts";
import { banner, type Service } from "./service.ts";
import { typeTestSource } from "./type-test-writer.ts";

/** The result for one folder of generated files, written or only compared. */
export interface Outcome {
  /** The service, or the package with a list of services. */
  readonly service: string;
  /** Relative to the root, with `/`. */
  readonly folder: string;
  readonly files: number;
  readonly operations: number;
  readonly difference: Difference;
}

export interface Report {
  readonly outcomes: readonly Outcome[];
  /** Services that have documents but no package. */
  readonly withoutPackage: readonly string[];
  /** The overlay actions that match no document, each as a sentence with its location. */
  readonly missed: readonly string[];
}

export interface GenerateOptions {
  /** Compares, and writes nothing. */
  readonly check?: boolean;
  /** Services that have changed. The others are not generated. */
  readonly changed?: readonly string[];
  /** Files of OpenAPI Overlays to apply to the documents, in this order. The documents themselves do not change. */
  readonly overlays?: readonly string[];
  readonly typesAccept?: TypesAccept;
}

/**
 * How the clients of this repository are generated: the messages of the `openai` package can have this value, and are passed to
 * our clients.
 */
export const ownOptions: GenerateOptions = { typesAccept: { "ImageUrl.detail": ["original"] } };

/**
 * Generates the clients of all services under `openapi/` that have a package. Everything is generated in memory first, so
 * that an invalid document leaves the existing files unchanged.
 *
 * @throws {@link DocumentError} with the faults of all documents.
 */
export async function generate(root: string, options: GenerateOptions = {}): Promise<Report> {
  const { check = false, changed, typesAccept } = options;
  const all = findServices(root);
  const overlays = (options.overlays ?? []).map((file) => readOverlay(file, all));
  const matched = new Set<OverlayAction>();
  const services = all.filter((service) => changed?.includes(service) ?? true);
  const withPackage = services.filter((service) => hasPackage(root, service));
  const made = await Promise.all(
    withPackage.map((service) => attempt(root, service, { overlays, matched }, typesAccept)),
  );
  const problems = made.flatMap((result) => ("problems" in result ? result.problems : []));
  if (problems.length > 0) throw new DocumentError(problems);
  const outputs = made.flatMap((result) => ("files" in result ? [result] : []));
  const apply = check ? difference : replaceFiles;
  // The result of a part of the services is not enough for the list of all.
  const whole =
    changed === undefined ? [...abandoned(root, all), ...forLive(root, outputs), ...serviceLists(root, outputs)] : [];
  const outcomes = [...outputs, ...whole].map(({ service, operations, files }) => {
    const folder = generatedFolder(service);
    return { service, folder, files: files.size, operations, difference: apply(join(root, folder), files) };
  });
  const withoutPackage = services.filter((service) => !withPackage.includes(service));
  const missed = missedActions(overlays, matched, (service) =>
    service === undefined ? "any document" : `openapi/${service}`,
  );
  return { outcomes, withoutPackage, missed };
}

function hasPackage(root: string, service: string): boolean {
  return existsSync(join(root, "packages", service, "package.json"));
}

export function summarize({ outcomes, withoutPackage, missed }: Report): string[] {
  const width = Math.max(0, ...outcomes.map(({ service }) => service.length));
  return [
    ...outcomes.map(({ service, operations, files, difference: found }) => {
      const made = operations === 0 ? "" : `${count(operations, "operation")}, `;
      return `${service.padEnd(width)}  ${made}${count(files, "file")}: ${describeDifference(found)}`;
    }),
    ...withoutPackage.map(
      (service) =>
        `${service}: openapi/${service} has no package. Create one: \`npx -y pnpm@12 contract new service ${service}\`.`,
    ),
    ...missed,
  ];
}

/** The messages of a check about files that are not up to date; empty if all are. */
export function complaints({ outcomes }: Report): string[] {
  const cure = "fix it with: npx -y pnpm@12 generate";
  return outcomes.flatMap(({ folder, service, difference: { missing, stale, surplus } }) => [
    ...missing.map((file) => `${folder}/${file} is missing: ${cure}`),
    ...stale.map((file) => `${folder}/${file} does not match openapi/${service}: ${cure}`),
    ...surplus.map((file) => `${folder}/${file} is no longer generated: ${cure}`),
  ]);
}

interface Generated {
  readonly service: string;
  readonly operations: number;
  readonly files: Files;
}

interface Output extends Generated {
  /** The types of the events of its streams. */
  readonly chunks: readonly string[];
  /** The ids of the rules of its document. */
  readonly ruleIds: readonly string[];
}

async function attempt(
  root: string,
  name: string,
  options: BundleOptions,
  typesAccept: TypesAccept | undefined,
): Promise<Output | { readonly problems: readonly Problem[] }> {
  try {
    const service = await readService(root, name, options);
    const chunks = [...new Set(service.operations.flatMap(({ stream }) => stream?.type ?? []))];
    const ruleIds = [...new Set(rulesIn(withoutForeignWords(service.bundle)).map(({ id }) => id))].toSorted();
    const files = await filesOf(service, typesAccept);
    return { service: name, chunks, ruleIds, operations: service.operations.length, files };
  } catch (error) {
    if (error instanceof DocumentError) return { problems: error.problems };
    throw error;
  }
}

async function filesOf(service: Service, typesAccept: TypesAccept | undefined): Promise<Files> {
  const yaml = `# Generated by "pnpm generate" from openapi/${service.name}. Do not edit.\n`;
  const types = await schemaTypes(service.document, service.operations, { typesAccept });
  return new Map([
    ["schema.ts", `${banner(service.name)}\n${types}`],
    ["client.ts", clientSource(service)],
    ["http.ts", httpSource(service)],
    ["client.test-d.ts", typeTestSource(service)],
    ["openapi.json", bundleText(service.bundle)],
    ["openapi.yaml", yaml + stringify(service.bundle, { aliasDuplicateObjects: false, lineWidth: 0 })],
  ]);
}

function generatedFolder(service: string): string {
  return `packages/${service}/src/generated`;
}

/** The flows by file name, and the ids of the documents' rules, for the package that checks services. */
function forLive(root: string, services: readonly Output[]): Generated[] {
  const folder = join(root, "openapi/flows");
  if (!existsSync(folder) || !hasPackage(root, "live")) return [];
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted();
  const all = names.map((name) => [name.replace(/\.yaml$/, ""), parseFile(root, `openapi/flows/${name}`)]);
  const ids = services.map(({ service, ruleIds }) => `  ${service}: ${JSON.stringify(ruleIds)},\n`);
  const rules = `// Generated by "pnpm generate" from openapi. Do not edit.

/** The ids of the rules of each service's document. */
export const ruleIds = {
${ids.join("")}} as const;

/** The id of a rule in one of the documents. */
export type RuleId = (typeof ruleIds)[keyof typeof ruleIds][number];
`;
  const files = new Map([
    ["flows.json", bundleText(Object.fromEntries(all))],
    ["rules.ts", rules],
  ]);
  return [{ service: "live", operations: 0, files }];
}

/** Packages whose generated files belong to deleted documents: their folder will be empty. */
function abandoned(root: string, services: readonly string[]): Generated[] {
  const packages = existsSync(join(root, "packages")) ? readdirSync(join(root, "packages")).toSorted() : [];
  return packages.flatMap((service) => {
    const client = join(root, generatedFolder(service), "client.ts");
    if (services.includes(service) || !existsSync(client)) return [];
    return readFileSync(client, "utf8").startsWith(banner(service))
      ? [{ service, operations: 0, files: new Map() }]
      : [];
  });
}

/** The packages below a root that serve services, each with its list. */
function serviceLists(root: string, services: readonly Output[]): Generated[] {
  return ["mock", "server"].flatMap((name) => {
    const manifest = join(root, "packages", name, "package.json");
    if (!existsSync(manifest)) return [];
    const text = readFileSync(manifest, "utf8");
    const served = services.filter(({ service }) => text.includes(`"@trainyard/${service}": `));
    return [{ service: name, operations: 0, files: new Map([["services.ts", listOf(served)]]) }];
  });
}

/** The types of services by name, and their documents. */
function listOf(services: readonly Output[]): string {
  const rows = services.map(({ service, chunks }) => {
    const [own, pascal] = [camelCase(service), pascalCase(service)];
    const parts = [
      ...chunks.map((chunk) => `${chunk} as ${pascal}${chunk}`),
      `${pascal}Operations`,
      `paths as ${own}Paths`,
    ];
    const chunk = chunks.length === 0 ? "never" : chunks.map((one) => `${pascal}${one}`).join(" | ");
    return {
      from: `import type { ${parts.join(", ")} } from "@trainyard/${service}";`,
      type: `  ${service}: { table: ${pascal}Operations; paths: ${own}Paths; chunk: ${chunk} };`,
      document: `  ${service}: () => require("@trainyard/${service}/openapi.json"),`,
    };
  });
  return `// Generated by "pnpm generate" from openapi. Do not edit.

import { createRequire } from "node:module";
${rows.map(({ from }) => from).join("\n")}

/** The services that this package serves, with the types of their operations and stream events. */
export interface ServiceTypes {
${rows.map(({ type }) => type).join("\n")}
}

const require: NodeJS.Require = createRequire(import.meta.url);

/** Reads their documents. They are not imported, because the type of a whole document would slow down every program. */
export const serviceDocuments: { readonly [Name in keyof ServiceTypes]: () => unknown } = {
${rows.map(({ document }) => document).join("\n")}
};
`;
}
