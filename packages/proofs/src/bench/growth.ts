import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@trainyard/release/workspace";
import { run } from "@trainyard/release/run";
import { atMost, type Findings, type Row, spreadOf } from "./report.ts";

/** Their steps are equal. */
const counts = [100, 300, 500] as const;
/** One is linear; with quadratic growth, the second step takes twice as long as the first. This is half-way. */
const bar = 1.5;
const rounds = 2;

const things: readonly (readonly [name: string, what: string])[] = [
  ["generate", "generate"],
  ["client", "client of the same files as a document of others"],
  ["lint", "check contract"],
  ["reference", "every page of the reference"],
  ["check", "contract check of an edit that all operations see"],
];

/** The service that is the template of the synthetic one. */
const service = "training";
/** The services that have a client. */
const services = readdirSync(join(root, "openapi")).filter((name) =>
  existsSync(join(root, "packages", name, "src/generated")),
);

/** A folder with the inputs of `generate`, and nothing generated yet. */
function unmade(services: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-"));
  cpSync(join(root, "openapi"), join(folder, "openapi"), { recursive: true });
  for (const service of services) {
    mkdirSync(join(folder, "packages", service), { recursive: true });
    cpSync(join(root, "packages", service, "package.json"), join(folder, "packages", service, "package.json"));
  }
  return folder;
}

/**
 * A repository with one service of `count` operations, each with two schemas of its own: copies of Create Model. They share
 * responses of errors, headers, and a parameter, as in a real service. Includes the style guide.
 */
function synthetic(count: number): string {
  const folder = unmade([service]);
  for (const other of readdirSync(join(folder, "openapi")).filter((name) => ![service, "common"].includes(name)))
    rmSync(join(folder, "openapi", other), { recursive: true });
  const training = join(folder, "openapi", service);
  const part = (file: string): string => readFileSync(join(training, file), "utf8");
  const [create, request, answer] = ["paths/models-create", "schemas/CreateModelRequest", "schemas/Model"].map((name) =>
    part(`${name}.yaml`),
  ) as [string, string, string];
  const paths: string[] = [];
  for (let index = 1; index <= count; index++) {
    // Each rule has an id of its own.
    const renamed = (text: string): string => text.replaceAll(/^( *- id: [\w-]+)$/gm, `$1-${index}`);
    const operation = renamed(create)
      .replace("preview_models_post", `preview_models${index}_post`)
      .replace("models.create", `models${index}.create`)
      .replaceAll(/schemas\/(CreateModelRequest|Model)\.yaml/g, `schemas/$1${index}.yaml`);
    writeFileSync(join(training, `paths/models${index}-create.yaml`), operation);
    writeFileSync(join(training, `schemas/CreateModelRequest${index}.yaml`), renamed(request));
    writeFileSync(join(training, `schemas/Model${index}.yaml`), renamed(answer));
    paths.push(`  /v1/preview/models${index}:\n    post:\n      $ref: paths/models${index}-create.yaml\n`);
  }
  const text = part("openapi.yaml").replace(/^paths:\n[^]*^components:/m, `paths:\n${paths.join("")}components:`);
  writeFileSync(join(training, "openapi.yaml"), text);
  const rules = readFileSync(join(root, "redocly.yaml"), "utf8").replace("packages/", `${root}/packages/`);
  writeFileSync(join(folder, "redocly.yaml"), rules);
  return folder;
}

/** Runs a function with a temporary repository. */
function within<Result>(folder: string, use: (folder: string) => Result): Result {
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a task in a process of its own. Returns the seconds that it took without the start of the process. */
function secondsOf(name: string, folder: string): number {
  const program = join(import.meta.dirname, "programs/growth.ts");
  return Number(run(process.execPath, ["--conditions=@trainyard/source", program, name, folder], { cwd: root }));
}

/** How much longer a task takes for the second 200 operations than for the first, so that what is the same at each size does not count. */
function rowOf([name, what]: (typeof things)[number]): Row {
  // The faster of several runs, because other work on the machine only adds time.
  const times = counts.map((count) =>
    Math.min(...Array.from({ length: rounds }, () => within(synthetic(count), (folder) => secondsOf(name, folder)))),
  );
  const [small = NaN, middle = NaN, large = NaN] = times;
  const [first, second] = [middle - small, large - middle];
  return {
    what,
    measured: `× ${(second / first).toFixed(2)} (${times.map((time) => time.toFixed(2)).join(", ")} s)`,
    ...atMost(second, bar * first, `× ${bar} (linear: 1)`),
  };
}

/** Whether the time of common tasks grows faster than the document. */
export function growth(): Findings {
  const cold = spreadOf(
    [1, 2, 3].map(() => within(unmade(services), (folder) => secondsOf("generate", folder))),
  ).median;
  return {
    how: `${counts.join(", ")} operations, each with two schemas of its own, which a script writes: Create Model of the training service again and again. Processes of their own; the faster of ${rounds} rounds. The growth is how many times as long as the first 200 more operations the next 200 take, so that the fixed part of a run does not count. \`pnpm bench --only growth\` measures this alone.`,
    rows: [
      {
        what: `generate of all ${services.length} services, cold`,
        measured: `${cold.toFixed(2)} s`,
        ...atMost(cold, 5, "5 s"),
      },
      ...things.map(rowOf),
    ],
  };
}
