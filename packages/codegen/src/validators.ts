import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ajvOptions, boundErrors, optionsFor, prepareSchema, resolvePointer } from "@trainyard/core/validation";
import { dialect, formats, readDocument, schemaName } from "@trainyard/document";
import { _, Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { DocumentError, type OpenApiDocument, readBundle, schemasOf, wholesIn } from "@trainyard/document/files";
import { writeFiles } from "./files.ts";
import { operationsTable } from "./operations-table.ts";
import { nameSchemas } from "./schema-names.ts";
import { type CoreModule, packaged } from "./service.ts";

/** Of what a module has validators: of what is sent alone, or of all that operations send and receive. */
export type Validated = "requests" | "all";

/** A module of validators, and its types. */
export type ValidatorsModule = Readonly<Record<"code" | "types", string>>;

/** The schemas for which Ajv cannot write a validator, each with its reason. */
export type Unwritten = Map<string, string>;

/**
 * Writes `packages/<service>/dist/validators.js` and its types from the generated bundle. Not committed: the code is large,
 * and generated from the bundle alone.
 */
export async function buildValidators(root: string, service: string): Promise<string> {
  const source = `packages/${service}/src/generated/openapi.json`;
  if (!existsSync(join(root, source))) {
    const cure = "Generate it first: npx -y pnpm@12 generate";
    throw new DocumentError([{ file: source, message: `${service} has no bundle to generate validators from.`, cure }]);
  }
  const bundle = readBundle(JSON.parse(readFileSync(join(root, source), "utf8")), source);
  const { document } = nameSchemas(service, bundle, readDocument(bundle));
  const { code, types } = await validatorsModule(document);
  const folder = join(root, "packages", service, "dist");
  writeFiles(
    folder,
    new Map([
      ["validators.js", code],
      ["validators.d.ts", types],
    ]),
  );
  const count = Object.keys(schemasOf(document)).length;
  return `${service}: ${count} validators, ${Math.round(code.length / 1000)} kB`;
}

/**
 * Writes a validator for each schema of a document whose inline schemas have names. They are functions in one module
 * without dependencies, of which a bundler keeps only those that are used.
 */
export async function validatorsModule(document: OpenApiDocument): Promise<ValidatorsModule> {
  const schemas = Object.keys(schemasOf(document)).toSorted();
  const unwritten: Unwritten = new Map();
  const code = await validatorsCode(document, schemas, "all", unwritten);
  for (const [schema, message] of unwritten) throw new Error(`The schema ${schema} can have no validator: ${message}`);
  return { code, types: typesOf(schemas) };
}

/**
 * The validators of what operations send and receive, as one file of TypeScript.
 *
 * @param unwritten gets the schemas without a validator
 */
export async function typedValidators(
  document: OpenApiDocument,
  validated: Validated,
  core: CoreModule,
  unwritten: Unwritten,
): Promise<string> {
  const schemas = usedSchemas(document, validated).toSorted();
  const code = await validatorsCode(
    document,
    schemas,
    validated,
    unwritten,
    (guard) => `: Validator<schema.${guard.slice(2)}>`,
  );
  // The functions are not checked: they are written by Ajv.
  // The code begins with its imports of the engine.
  const placed = code.replaceAll(`"${packaged("validation")}"`, `"${core("validation")}"`);
  return `// @ts-nocheck\n${typesHeader("./schema.js", core)}\n${placed}`;
}

/** The schemas that operations refer to, also by others. Those of webhooks alone can be most of a document. */
function usedSchemas(document: OpenApiDocument, validated: Validated): string[] {
  const bodies = operationsTable(document).operations.map(({ operation: { body } }) => body?.content ?? []);
  const sent = bodies.flatMap((content) => [...content.values()].map(({ node }) => node));
  const used = new Set(wholesIn(validated === "all" ? document.paths : sent));
  // A set yields what is added meanwhile.
  for (const pointer of used) for (const next of wholesIn(resolvePointer(document, pointer))) used.add(next);
  return [...used].flatMap((pointer) => schemaName(pointer) ?? []);
}

async function validatorsCode(
  document: OpenApiDocument,
  schemas: readonly string[],
  validated: Validated,
  unwritten: Unwritten,
  typed?: (guard: string) => string,
): Promise<string> {
  const written = shakable(writeFunctions(document, schemas, unwritten));
  const { outputFiles } = await build({
    stdin: { contents: written, resolveDir: join(import.meta.dirname, "runtime"), loader: "js" },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2023",
    external: [packaged("validation")],
    logLevel: "error",
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error("esbuild returned no output for the validators.");
  return wrapExports(output.text, checksOf(document, validated), typed);
}

/** The bodies, answers and chunks of operations that each validator applies to, by its name: `models.create request`. */
function checksOf(document: OpenApiDocument, validated: Validated): ReadonlyMap<string, readonly string[]> {
  const checks = new Map<string, string[]>();
  for (const { name, body, result, stream } of operationsTable(document).operations)
    for (const [part, type] of [
      ["request", body?.types ? undefined : body?.type],
      ["response", result.kind === "json" && result.mediaType !== undefined ? result.type : undefined],
      ["chunk", stream?.type],
    ] as const) {
      if (type === undefined || type === "unknown" || (validated === "requests" && part !== "request")) continue;
      const guard = guardName(type);
      checks.set(guard, [...(checks.get(guard) ?? []), `${name} ${part}`]);
    }
  return checks;
}

function writeFunctions(document: OpenApiDocument, schemas: readonly string[], unwritten: Unwritten): string {
  // What is no regular expression is in our own table.
  const code = { source: true, esm: true, formats: _`formats` };
  const prepared = prepareSchema(document, (schema) => dialect.extensible.read(schema));
  const { components: all = {} } = Object(prepared);
  const withSchemas = (names: readonly string[]): Ajv2020 => {
    const ajv = new Ajv2020({ ...ajvOptions, formats, inlineRefs: false, messages: false, code });
    Object.assign(ajv.opts, optionsFor(prepared));
    const some = Object.fromEntries(names.map((name) => [name, all.schemas[name]]));
    return ajv.addSchema({ ...prepared, components: { ...all, schemas: some } }, "document");
  };
  const attempt = <Result>(name: string | undefined, action: () => Result): Result | undefined => {
    try {
      return action();
    } catch (error) {
      if (name !== undefined) unwritten.set(name, `${error instanceof Error ? error.message : String(error)}.`);
      return undefined;
    }
  };
  let ajv = withSchemas([]);
  /** Which of some schemas Ajv can hold beside others: by halves, because nearly always it can hold all. */
  const hold = (others: readonly string[], names: readonly string[]): readonly string[] => {
    const both = [...others, ...names];
    const done = attempt(names.length === 1 ? names[0] : undefined, () => withSchemas(both));
    ajv = done ?? ajv;
    if (done !== undefined || names.length < 2) return done ? both : others;
    const half = names.length >> 1;
    return hold(hold(others, names.slice(0, half)), names.slice(half));
  };
  hold([], Object.keys(Object(all.schemas)));
  const references = schemas.map((name) => [name, `document#/components/schemas/${name}`] as const);
  const written = references.filter(([name, reference]) => attempt(name, () => ajv.getSchema(reference)));
  return standalone.default(ajv, Object.fromEntries(written.map(([name, reference]) => [guardName(name), reference])));
}

/** Rewrites code that prevents tree shaking: properties set on functions, and calls of `require`. */
function shakable(code: string): string {
  const runtime = new Set<string>();
  const rewritten = boundErrors(code.replace(/^"use strict";/, ""))
    .replaceAll(/\bvalidate(\d+)\.evaluated\b/g, "evaluatedOf$1")
    .replaceAll(/(?<=[;}\n])evaluatedOf(\d+) = /g, "const evaluatedOf$1 = ")
    .replaceAll(
      /const (func\d+) = require\("ajv\/dist\/runtime\/(\w+)"\)\.default;/g,
      (_, name: string, file: string) => {
        runtime.add(file);
        return `const ${name} = ${file};`;
      },
    )
    .replaceAll(/\bschemaPath:"[^"]*",/g, "")
    .replaceAll(/export const (\w+) = (validate\d+);/g, "export { $2 as $1 };");
  const left = /require\(.*?\)/.exec(rewritten);
  if (left !== null) throw new Error(`The validators need ${left[0]}: add it to codegen's runtime/ajv-runtime.ts.`);
  const table = /= formats\.\w+;/.test(rewritten) ? `import { formats } from "${packaged("validation")}";\n` : "";
  const imports = runtime.size > 0 ? `import { ${[...runtime].toSorted().join(", ")} } from "./ajv-runtime";\n` : "";
  return `export { guard } from "./guard";\n${table}${imports}${rewritten}`;
}

/** Wraps the exported functions in guards, each marked as a pure call, because minifying drops the mark. */
function wrapExports(
  code: string,
  checks: ReadonlyMap<string, readonly string[]>,
  typed: (guard: string) => string = () => "",
): string {
  const list = /export\{([^}]*)\};?\s*$/.exec(code);
  const names = (list?.[1] ?? "").split(",").map((pair) => pair.split(" as "));
  const guard = names.find(([, exported]) => exported === "guard")?.[0];
  if (list === null || guard === undefined) throw new Error("esbuild wrote its exports in an unknown form.");
  const guards = names.flatMap(([local, exported = ""]) => {
    const uses = checks.get(exported);
    const made = `/* @__PURE__ */${guard}(${local}${uses ? `,${JSON.stringify(uses)}` : ""})`;
    return exported === "guard" ? [] : [`export const ${exported}${typed(exported)}=${made};\n`];
  });
  return `${code.slice(0, list.index)}\n${guards.join("")}`;
}

const typesHeader = (schema: string, core: CoreModule): string => `import type { Fault } from "${core("validation")}";
import type * as schema from "${schema}";

/** Validates a value against the contract. A type guard and a Standard Schema. */
export interface Validator<T> {
  (value: unknown): value is T;
  /** Returns the faults of a value, each once; empty if it is valid. */
  faults(value: unknown): Fault[];
  /** The bodies, answers and stream chunks that a client validates with it: \`models.create request\`. */
  readonly checks: readonly string[];
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "trainyard";
    readonly validate: (value: unknown) => ValidatorResult<T>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

/** The result of a Standard Schema: the value, or its issues. */
export type ValidatorResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };
`;

function typesOf(schemas: readonly string[]): string {
  const declarations = schemas.map(
    (name) =>
      `\n/** Whether a value is a {@link schema.${name}}. */\nexport declare const ${guardName(name)}: Validator<schema.${name}>;\n`,
  );
  return typesHeader("./generated/schema.js", packaged) + declarations.join("");
}

/** `isLogRequest`: the name of a schema's validator in the module `/validators`. */
function guardName(schema: string): string {
  return `is${schema}`;
}
