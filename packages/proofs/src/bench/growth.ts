import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@trainyard/release/workspace";
import { run } from "@trainyard/release/run";
import { configure } from "../strangers/compile.ts";
import { atMost, type Findings, type Row, spreadOf } from "./report.ts";
import { compile } from "./types.ts";

const small = 100;
const large = 500;
const times = large / small;
const bar = 1.1 * times;
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

/** Runs a task in a process of its own. Returns the milliseconds that it took without the start of the process. */
function milliseconds(name: string, folder: string): number {
  const program = join(import.meta.dirname, "programs/growth.ts");
  return Number(run(process.execPath, ["--conditions=@trainyard/source", program, name, folder], { cwd: root }));
}

/** The compiler's work on a program that makes one call with a client of this many operations. */
function types(count: number): ReturnType<typeof compile> {
  return within(synthetic(count), (folder) => {
    milliseconds("generate", folder);
    const text = `import { createTrainingClient } from "./packages/training/src/generated/client.ts";
export const { id } = await createTrainingClient().models1.create({ project: "a", name: "b", base_model: "c" });
`;
    writeFileSync(join(folder, "program.ts"), text);
    configure(folder, { files: ["program.ts"] });
    return compile(["-p", folder], folder);
  });
}

/** The fastest of several runs, because other work on the machine only adds time. */
function fastest(measure: () => number): number {
  return Math.min(...Array.from({ length: rounds }, measure));
}

function rowOf(what: string, [before, after]: readonly [number, number], format: (value: number) => string): Row {
  return {
    what,
    measured: `× ${(after / before).toFixed(1)} (${format(before)} to ${format(after)})`,
    ...atMost(after / before, bar, `× ${bar} (linear: ${times})`),
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** Whether the time of common tasks grows faster than the document. */
export function growth(): Findings {
  const pair = (name: string): [number, number] => {
    const measure = (count: number): number =>
      fastest(() => within(synthetic(count), (folder) => milliseconds(name, folder)));
    return [measure(small), measure(large)];
  };
  const [few, many] = [types(small), types(large)];
  const cold = spreadOf(
    [1, 2, 3].map(() => within(unmade(services), (folder) => milliseconds("generate", folder))),
  ).median;
  return {
    how: `From ${small} operations and ${2 * small} schemas to ${large} operations and ${(2 * large).toLocaleString("en")} schemas, which a script writes: Create Model of the training service again and again, with schemas of its own each time. Processes of their own; the faster of ${rounds} rounds. \`pnpm bench --only growth\` measures this alone.`,
    rows: [
      {
        what: `generate of all ${services.length} services, cold`,
        measured: seconds(cold),
        ...atMost(cold, 5000, "5 s"),
      },
      ...things.map(([name, what]) => rowOf(what, pair(name), seconds)),
      rowOf("tsc of a program with the client", [few.total, many.total], seconds),
      rowOf("instantiations of types in it", [few.instantiations, many.instantiations], String),
    ],
  };
}
