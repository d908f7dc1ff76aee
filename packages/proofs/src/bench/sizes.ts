import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { atMost, type Findings } from "./report.ts";

const root = join(import.meta.dirname, "../../../..");

interface Program {
  readonly name: string;
  /** The folder whose dependencies the program uses. */
  readonly from: string;
  readonly source: string;
  /** Maximum bytes, if the design sets a bar. */
  readonly bar?: number;
}

/** What a browser downloads for a program. */
export interface Size {
  readonly name: string;
  readonly bytes: number;
  readonly bar: number | undefined;
}

const kB = 1000;
const clients = ["training", "inference", "auxiliary"].map((service): Program => {
  const factory = `create${service[0]?.toUpperCase()}${service.slice(1)}Client`;
  return {
    name: `@trainyard/${service}, all methods`,
    from: "packages/proofs",
    source: `import { ${factory} } from "@trainyard/${service}"; globalThis.client = ${factory}();`,
    bar: 10 * kB,
  };
});

const programs: readonly Program[] = [
  ...clients,
  {
    name: "@trainyard/training/http, one call",
    from: "packages/proofs",
    source: `import { createTrainingHttp } from "@trainyard/training/http"; createTrainingHttp().GET("/v1/health");`,
    bar: 9 * kB,
  },
  {
    name: "openapi-fetch alone",
    from: "packages/proofs",
    source: `import createClient from "openapi-fetch"; createClient().GET("/v1/health");`,
  },
  { name: "ky alone", from: "packages/proofs", source: `import ky from "ky"; ky.get("/v1/health");` },
  { name: "openai", from: "packages/proofs", source: `import OpenAI from "openai"; globalThis.client = new OpenAI();` },
];

interface Built {
  /** After gzip. */
  readonly bytes: number;
  /** Minified, by source file. */
  readonly files: readonly (readonly [file: string, bytes: number])[];
}

async function built(program: Pick<Program, "name" | "from" | "source">): Promise<Built> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program.source, resolveDir: join(root, program.from) },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@trainyard/source"],
    logLevel: "error",
    metafile: true,
    absWorkingDir: root,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild returned no output for ${program.name}.`);
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return {
    bytes: gzipSync(file.contents, { level: 9 }).length,
    files: inputs.map(([name, { bytesInOutput }]) => [name, bytesInOutput]),
  };
}

/** Optional features of a training client beside the methods, as import statements. */
const extras: readonly (readonly [name: string, source: string])[] = [
  ["the other door, /http", `export { createTrainingHttp } from "@trainyard/training/http";`],
  ["recordTrajectory", `export { recordTrajectory } from "@trainyard/training/rollouts";`],
  ["gatherGroups", `export { gatherGroups } from "@trainyard/training/rollouts";`],
  ["one validator, isTrajectory", `export { isTrajectory } from "@trainyard/training/validators";`],
  ["all validators", `export * from "@trainyard/training/validators";`],
  ["isChoice and isMessage", `export { isChoice, isMessage } from "@trainyard/training";`],
  ["isLogResult", `export { isLogResult } from "@trainyard/training";`],
  ["isTrainyardError", `export { isTrainyardError } from "@trainyard/training";`],
  ["modelName", `export { modelName } from "@trainyard/training";`],
  ["withoutNulls", `export { withoutNulls } from "@trainyard/training";`],
];

/** Bytes by feature: the additional size beside all methods, and the parts of the client itself. */
export interface Features {
  /** After gzip, in addition to the client. */
  readonly extras: readonly (readonly [name: string, bytes: number])[];
  /** Minified, before gzip; the largest first. */
  readonly parts: readonly (readonly [file: string, bytes: number])[];
}

/** The size of each feature of the training client. */
export async function measureFeatures(): Promise<Features> {
  const [client] = clients;
  if (client === undefined) throw new Error("The client has no size.");
  const alone = await built(client);
  const above = await Promise.all(
    extras.map(async ([name, source]) => {
      const { bytes } = await built({ ...client, name, source: `${client.source}\n${source}` });
      return [name, bytes - alone.bytes] as const;
    }),
  );
  return { extras: above, parts: alone.files.toSorted(([, a], [, b]) => b - a) };
}

/** The sizes of the clients, and of others for comparison. */
export async function measureSizes(): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const program of programs) {
    sizes.push({ name: program.name, bytes: (await built(program)).bytes, bar: program.bar });
  }
  return sizes;
}

/** The sizes, compared with `openai`. */
export async function sizes(): Promise<Findings> {
  const measured = await measureSizes();
  const openai = measured.find(({ name }) => name === "openai")?.bytes ?? NaN;
  const text = (bytes: number): string => `${(bytes / kB).toFixed(2)} kB`;
  return {
    how: "Bundled and minified by esbuild, compressed with gzip: what a browser downloads.",
    against: "openai",
    rows: measured.map(({ name, bytes, bar }) => {
      const ratio = bytes / openai;
      return {
        what: name,
        measured: text(bytes),
        ratio: { median: ratio, low: ratio, high: ratio },
        ...(bar !== undefined && atMost(bytes, bar, text(bar))),
      };
    }),
  };
}
