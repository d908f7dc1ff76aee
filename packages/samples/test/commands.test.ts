/** @module-tag long */
import { spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startMock } from "@trainyard/mock";
import { createServer } from "@trainyard/server";
import { afterAll, describe, expect, it } from "vitest";
import { available, run } from "./run.ts";

// The commands of the guides, run as they are written. `pnpm test samples` also runs those of the packages' READMEs.
const root = join(import.meta.dirname, "../../..");
const isLong = process.env["SAMPLE_ROUNDS"] !== undefined;
const pages = [
  "packages/docs/src/content/docs/{guides,concepts}/*.mdx",
  ...(isLong ? ["packages/*/README.md"] : []),
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((page) => page.replaceAll("\\", "/"))
  .toSorted();

/** The commands that are not run here, and why. */
const elsewhere: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npx -y pnpm@12 (start|test)\b/, "samples.test.ts runs what start serves"],
  [/learning\/yes-no-maybe\.ts/, "learning.test.ts runs it"],
  [/^LEARNING_RUNS=/, "it measures for minutes, as pnpm test learning does"],
  [/^npm install$|release pack/, "installed.test.ts runs it"],
  [/prism-cli/, "pnpm test standalone serves each document by Prism"],
  [/^docker (compose|build)/, "the workflow ci builds and starts the image"],
  [
    /turbo run build|deploy --prod|^useradd |^cp trainyard\.service|^sudo |\$SCRAPER_KEY/,
    "it installs a server on the machine, or reads one that is installed",
  ],
  [
    /trainyard (keys remove|backup|restore) |^npx trainyard doctor/,
    "needs a key or a run, or writes outside of this folder",
  ],
  [/bench server/, "it measures the machine"],
  [/^npx trainyard uses/, "the package's own tests run it"],
  [/trainyard slurm /, "pnpm test cluster runs it on a Slurm"],
  [/rollouts\.jsonl/, "needs a run; export.test.ts of the server downloads one"],
  [
    /^export VLLM_|^vllm serve|ssh gpu-1|\/mnt\/checkpoints/,
    "needs a machine with a GPU",
  ],
];

/** The commands of installed packages, as they are called in this repository. */
const node = `"${process.execPath}" --conditions=@trainyard/source --disable-warning=ExperimentalWarning`;
const programs: readonly (readonly [command: RegExp, program: string])[] = [
  [/^(npx (-y pnpm@12 )?)?trainyard /, `${node} packages/trainyard/src/cli.ts `],
  [/^npx -y pnpm@12 exec node( --conditions=@trainyard\/source)? /, `${node} `],
];

/** The commands of a page in order; each may have several lines. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map((line) => line.replace(/(^| +)# .*/, "").trim())
      .filter((line) => line !== ""),
  );
}

const commands = new Map(pages.map((page) => [page, commandsOf(page)]));
const server = createServer({ keys: [{ key: "a-key", entity: "harbor" }] });
const url = await server.listen({ port: 0 });
const mock = await startMock();
afterAll(async () => {
  await mock.close();
  await server.close();
});

const environmentOf = (training: string, inference: string, auxiliary: string) => ({
  TRAINYARD_API_KEY: "a-key",
  TRAINYARD_ACCESS_TOKEN: "a-key",
  TRAINYARD_TRAINING_URL: training,
  TRAINYARD_INFERENCE_URL: inference,
  TRAINYARD_AUXILIARY_URL: auxiliary,
});
const environment = environmentOf(url, `${url}/inference/v1`, `${url}/auxiliary`);

it("there are commands, and each exception is on a page", () => {
  const all = [...commands.values()].flat();
  expect(all.length).toBeGreaterThan(12);
  const found = ([pattern]: (typeof elsewhere)[number]) =>
    all.some((command) => pattern.test(command));
  if (isLong) expect(elsewhere.filter((row) => !found(row))).toEqual([]);
});

it("the page Getting started sets the variables that start prints", () => {
  const page = [...commands].find(([name]) =>
    name.includes("getting-started"),
  )?.[1];
  const set = page?.filter((command) => command.startsWith("export "));
  const variables = Object.keys(environment).map((name) => `export ${name}=`);
  expect(set?.map((line) => line.replace(/=.*/, "="))).toEqual(variables);
});

const shell = available("sh", ["-c", "curl --version && python3 --version"]);
describe
  .skipIf(!shell)
  .each(
    [...commands].filter(([, all]) => all.some((command) => !isElsewhere(command))),
  )("%s", (_page, all) => {
  // The folders are those of a clone, except where a command writes.
  const folder = mkdtempSync(join(tmpdir(), "trainyard-commands-"));
  symlinkSync(join(root, "packages"), join(folder, "packages"), "junction");
  cpSync(join(root, "packages/samples/start/data"), folder, { recursive: true });
  cpSync(join(folder, "conversations.jsonl"), join(folder, "questions.jsonl"));
  const running: ChildProcess[] = [];
  const addresses = new Map<string, string>();
  afterAll(async () => {
    for (const child of running) {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(all.filter((command) => !isElsewhere(command)))("%s", async (command) => {
    if (command.startsWith("export ")) return;
    let line = command;
    for (const [pattern, program] of programs)
      line = line.replace(pattern, program);
    for (const [port, address] of addresses)
      line = line.replaceAll(`http://127.0.0.1:${port}`, address);
    if (/\bserve\b|trainyard mock/.test(command)) {
      const port = /--port (\d+)/.exec(line)?.[1] ?? "4010";
      line = line.replace(/ --port \d+/, "") + " --port 0";
      addresses.set(port, await serve(line));
      return;
    }
    const services = /Prefer:/.test(command)
      ? environmentOf(
          ...((["training", "inference", "auxiliary"] as const).map(
            (name) => mock.connect(name).baseUrl,
          ) as [string, string, string]),
        )
      : environment;
    const key = line.includes("CONTROL_KEY") ? controlKey() : "";
    const { status, output, errors } = await run("sh", ["-c", line], folder, {
      ...services,
      CONTROL_KEY: key,
    });
    expect({ status, output, errors }).toMatchObject({ status: 0 });
    // If a command requests a status with a header, it gets that status; otherwise it must succeed.
    const asked = /Prefer: code=(\d+)/.exec(command)?.[1];
    if (asked === undefined) expect(output).not.toContain('"detail"');
    else if (command.includes(" -i ")) expect(output).toContain(asked);
  });

  /** Starts a server, and returns its address once it listens. */
  async function serve(line: string): Promise<string> {
    const child = spawn("sh", ["-c", `exec ${line}`], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.push(child);
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (text) => {
        const [, address] =
          /^ *(?:training|chat)\s+(http:\S+?)(?:\/v1)?\/?$/.exec(text) ?? [];
        if (address !== undefined) resolve(address);
      });
      child.once("close", (code) =>
        reject(new Error(`It ended with ${code}: ${output}`)),
      );
    });
  }

  function controlKey(): string {
    const note: { controlKey?: string } = JSON.parse(
      readFileSync(join(folder, ".trainyard/server.json"), "utf8"),
    );
    return note.controlKey ?? "";
  }
});

function isElsewhere(command: string): boolean {
  return elsewhere.some(([pattern]) => pattern.test(command));
}
