import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { generateClient } from "@trainyard/codegen/generate-client";
import { build } from "esbuild";
import { largeFile } from "./document.ts";

interface Program {
  readonly name: string;
  readonly source: string;
  /** A program whose bytes are not counted: this one extends it. */
  readonly beside?: string;
  /** Maximum bytes. */
  readonly bar: number;
}

const kB = 1000;
/** The operations of each service when the bars were set. */
const operations = { training: 14, inference: 3, auxiliary: 3 };
type Service = keyof typeof operations;

/** A program with all operations of a service may grow by 100 bytes for each that is added: its row, and what only it needs. */
function added(service: Service): number {
  const document = new URL(`../../../${service}/src/generated/openapi.json`, import.meta.url);
  const now = readFileSync(document, "utf8").match(/"operationId":/g)?.length ?? 0;
  return 0.1 * kB * Math.max(0, now - operations[service]);
}

const clients = (["training", "inference", "auxiliary"] as const).map((service): Program => {
  const factory = `create${service[0]?.toUpperCase()}${service.slice(1)}Client`;
  return {
    name: `@trainyard/${service}, all methods`,
    source: `import { ${factory} } from "@trainyard/${service}"; globalThis.client = ${factory}();`,
    bar: 11 * kB + added(service),
  };
});

const chat = `import { createInferenceClient } from "@trainyard/inference"; `;
const programs: readonly Program[] = [
  ...clients,
  {
    name: "@trainyard/training, one call",
    source: `import { modelsCreate, pickTraining } from "@trainyard/training"; globalThis.client = pickTraining({ create: modelsCreate });`,
    bar: 8.2 * kB,
  },
  {
    name: "telemetry, beside @trainyard/inference",
    source: `${chat}import { telemetry } from "@trainyard/core/telemetry"; globalThis.client = createInferenceClient({ middleware: [telemetry({})] });`,
    beside: `${chat}globalThis.client = createInferenceClient({ middleware: [] });`,
    bar: 1.5 * kB,
  },
  {
    name: "@trainyard/training/http, one call",
    source: `import { createTrainingHttp } from "@trainyard/training/http"; createTrainingHttp().GET("/v1/health");`,
    bar: 9.95 * kB + added("training"),
  },
];

/** A program, bundled and minified. */
export async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@trainyard/source"],
    nodePaths: [join(import.meta.dirname, "../../node_modules")],
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

const bytesOf = async (source: string) => gzipSync(await bundled(source), { level: 9 }).length;

/** One call of a client whose document has 1,223 operations, GitHub's. The others do not count. */
async function large(out: string): Promise<Program> {
  const file = largeFile();
  await generateClient(file, { root: dirname(file), out, name: "github" });
  return {
    name: "GitHub's document, one call",
    source: `import { reposGet, pickGithub } from ${JSON.stringify(join(out, "index.ts"))}; globalThis.client = pickGithub({ get: reposGet });`,
    bar: 8.2 * kB,
  };
}

/**
 * What a browser downloads for each client, or for the clients of these services alone.
 *
 * @param withLarge whether for one call of a large document, too, whose client takes half a minute to make
 */
export async function measureSizes(
  services: readonly string[],
  withLarge: boolean,
): Promise<(Program & { readonly bytes: number })[]> {
  const out = mkdtempSync(join(tmpdir(), "trainyard-size-"));
  try {
    const chosen = programs.filter(
      ({ name }) => services.length === 0 || services.some((service) => name.split(/[/,]/)[1] === service),
    );
    if (withLarge) chosen.push(await large(out));
    return await Promise.all(
      chosen.map(async (program) => {
        const [bytes, counted] = await Promise.all([program.source, program.beside ?? ""].map(bytesOf));
        return { ...program, bytes: (bytes ?? NaN) - (program.beside === undefined ? 0 : (counted ?? NaN)) };
      }),
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
