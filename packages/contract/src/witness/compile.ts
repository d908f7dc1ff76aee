import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DocumentError } from "@trainyard/document/files";
import { capital } from "../json.ts";
import type { Probe } from "./probes.ts";

const core = fileURLToPath(new URL("src", import.meta.resolve("@trainyard/core/package.json")));
const compiler = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));

/**
 * Generates the clients of services whose documents are below `root`, into a folder. Writes nothing below `root`.
 *
 * @returns why a document has no client, by service
 */
export async function makeClients(
  root: string,
  folder: string,
  services: readonly string[],
): Promise<Map<string, string>> {
  // A document may refer to the folder of another service.
  cpSync(join(root, "openapi"), join(folder, "openapi"), { recursive: true });
  // The generator takes half a second to load.
  const { generate } = await import("@trainyard/codegen/generate");
  const refusals = new Map<string, string>();
  const make = async (service: string): Promise<void> => {
    // The generator creates a client for each existing package.
    mkdirSync(join(folder, "packages", service), { recursive: true });
    writeFileSync(join(folder, "packages", service, "package.json"), "{}");
    try {
      await generate(folder, { changed: [service] });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      refusals.set(service, error.message);
    }
  };
  await Promise.all(services.map(make));
  return refusals;
}

/** The folder of a service's generated files. */
export function clientFolder(folder: string, service: string): string {
  return join(folder, "packages", service, "src/generated");
}

/** A probe that does not compile, and the compiler's error. */
export interface Fault {
  readonly probe: Probe;
  readonly message: string;
}

/**
 * Compiles probes of several services against the older and the newer clients. Returns those that fail, by service.
 *
 * @param folders those of the older and the newer clients, and that for the program
 */
export async function compileProbes(
  all: ReadonlyMap<string, readonly Probe[]>,
  { base, now, folder }: Readonly<Record<"base" | "now" | "folder", string>>,
): Promise<Map<string, Fault[]>> {
  const options = {
    target: "es2023",
    module: "nodenext",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    paths: { "@trainyard/core": [join(core, "index.ts")], "@trainyard/core/*": [join(core, "*/index.ts")] },
  };
  for (const [service, probes] of all) {
    for (const [name, side] of Object.entries({ base, now }))
      writeFileSync(join(folder, `${service}.${name}.ts`), entry(clientFolder(side, service), service));
    const imports = ["Base", "Now"].map(
      (side) => `import type * as ${side} from "./${service}.${side.toLowerCase()}.ts";`,
    );
    const head = [...imports, keys, listed];
    const split = { Base: splitIn(clientFolder(base, service)), Now: splitIn(clientFolder(now, service)) };
    const typed = (line: string): string =>
      line.replaceAll(/(Base|Now)\.Sent\.(\w+)/g, (_, side: "Base" | "Now", name: string) =>
        split[side].has(name) ? `${side}.${name}Write` : `${side}.${name}`,
      );
    const lines = probes.map(({ line }, index) => `export const probe${index} = ${typed(line)};`);
    writeFileSync(join(folder, `${service}.ts`), [...head, ...lines, ""].join("\n"));
  }
  const files = [...all.keys()].map((service) => `${service}.ts`);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return readFaults(await runCompiler(folder), all);
}

/** The keys of a type that can have a value: an optional `never` is not a property. */
const keys = "type Keys<T> = { [K in keyof T]-?: [T[K]] extends [undefined] ? never : K }[keyof T];";

/** The type of a property. A property that no longer exists is found by the keys of its type. */
const listed = "type Listed<T, K extends string> = K extends keyof T ? T[K] : any;";

/** The imports, `Keys` and `Listed` precede the first probe. */
const headLines = 4;

/** The exports of a client that probes use, under the same name for all services. */
function entry(folder: string, service: string): string {
  const client = `${capital(service)}Client`;
  const [schema, calls] = ["schema.ts", "client.ts"].map((file) => JSON.stringify(join(folder, file)));
  return `export type * from ${schema};\nexport type { ${client} as Client } from ${calls};\n`;
}

/** The schemas of a client that have a type for requests beside that for responses. */
function splitIn(folder: string): ReadonlySet<string> {
  const schema = readFileSync(join(folder, "schema.ts"), "utf8");
  return new Set(Array.from(schema.matchAll(/^export (?:type|interface) (\w+)Write\b/gm), ([, name = ""]) => name));
}

async function runCompiler(folder: string): Promise<string> {
  const args = [compiler, "-p", folder, "--pretty", "false"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1 << 28 }).catch(
    (error: Error & { readonly stdout?: string }) => {
      if (!error.stdout) throw error;
      return { stdout: error.stdout };
    },
  );
  return stdout;
}

/** The last line of an explanation says where two types differ; paths of temporary files are noise. */
function innermost(message: string): string {
  const line = message.split("\n").at(-1) ?? message;
  return line.trim().replaceAll(/import\("[^"]*"\)\./g, "");
}

function readFaults(output: string, all: ReadonlyMap<string, readonly Probe[]>): Map<string, Fault[]> {
  const faults = new Map<string, Fault[]>();
  for (const [, file = "", line, message = ""] of output.matchAll(
    /^(\S.*?)\((\d+),\d+\): error TS\d+: (.*(?:\n {2,}.*)*)$/gm,
  )) {
    const service = file.replace(/\.ts$/, "");
    // The program's first two lines import both clients.
    const probe = all.get(service)?.[Number(line) - 1 - headLines];
    // A client that does not compile is reported by the type check: here only callers' code counts.
    if (probe === undefined) continue;
    const found = faults.get(service) ?? [];
    faults.set(service, found);
    if (!found.some((fault) => fault.probe === probe)) found.push({ probe, message: innermost(message) });
  }
  return faults;
}
