/** @module-tag long */
import { spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startMock } from "@trainyard/mock";
import { afterAll, describe, expect, it } from "vitest";
import { startServices } from "../start/services.ts";
import { available, run } from "./run.ts";

// The commands of the guides, run as they are written, where their block says. Only the ports of servers differ, because 4010
// may be in use. `pnpm exec vitest run --project all-samples` also runs the commands of the packages' READMEs.
const root = join(import.meta.dirname, "../../..");
const isLong = process.env["SAMPLE_ROUNDS"] !== undefined;
const pages = [
  "packages/docs/src/content/docs/{guides,concepts,contract}/*.mdx",
  ...(isLong ? ["packages/*/README.md"] : []),
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((page) => page.replaceAll("\\", "/"))
  .toSorted();

/** The commands that are not run here, and why. */
const elsewhere: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npx -y pnpm@12 (start|test)\b/, "samples.test.ts runs what start serves"],
  [/learning\/yes-no-maybe\.ts/, "learning.test.ts runs it"],
  [
    /^LEARNING_RUNS=/,
    "it measures for minutes, as pnpm exec vitest run --project learning does",
  ],
  [/^npm install$|release pack/, "installed.test.ts runs it"],
  [/prism-cli/, "the proof bundles serves each document by Prism"],
  [/^docker (compose|build)/, "the workflow ci builds and starts the image"],
  [
    /turbo run build|deploy --prod|^useradd |^cp trainyard\.service|^sudo |\$SCRAPER_KEY/,
    "it installs a server on the machine, or reads one that is installed",
  ],
  [
    /trainyard (keys remove|backup|restore|marks) /,
    "needs a key or a run, or writes outside of this folder",
  ],
  [/bench server/, "it measures the machine"],
  [
    /^npx -y pnpm@12 generate --overlay/,
    "it writes the clients of this clone; overlay.test.ts of contract applies the file",
  ],
  [/^npx trainyard uses/, "the package's own tests run it"],
  [/trainyard slurm /, "pnpm exec vitest run --project cluster runs it on a Slurm"],
  [/rollouts\.jsonl/, "needs a run; export.test.ts of the server downloads one"],
  [
    /^export VLLM_|^vllm serve|ssh gpu-1|\/mnt\/checkpoints/,
    "needs a machine with a GPU",
  ],
];

/** Where a reader stands, by the title of a block. Each page gets folders of its own. */
const places: Readonly<Record<string, (folder: string) => void>> = {
  "In the root of the clone": (folder) => {
    // What a command writes stays outside of this clone.
    for (const name of [
      "package.json",
      "pnpm-workspace.yaml",
      "node_modules",
      "packages",
    ])
      symlinkSync(join(root, name), join(folder, name), "junction");
  },
  // installed.test.ts runs commands in a program with the packed packages.
  "In your program": (folder) => {
    cpSync(join(root, "packages/samples/start/data"), folder, { recursive: true });
    cpSync(join(folder, "conversations.jsonl"), join(folder, "questions.jsonl"));
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    const program = join(root, "packages/trainyard/dist/cli.js");
    const text = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
    writeFileSync(join(folder, "node_modules/.bin/trainyard"), text, {
      mode: 0o755,
    });
  },
  "In any folder": () => undefined,
};

interface Command {
  readonly place: string;
  readonly line: string;
}

/** The commands of a page in order; each may have several lines. */
function commandsOf(page: string): Command[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```sh(?: title="(.*)")?\n([^]*?)^```/gm)].flatMap(
    ([, title, block = ""]) => {
      // READMEs say it in words.
      const inReadme = block.includes("pnpm@12")
        ? "In the root of the clone"
        : "In your program";
      const place = page.endsWith(".mdx") ? (title ?? "") : inReadme;
      return block
        .replaceAll(/\\\n\s*/g, "")
        .split("\n")
        .map((line) => ({ place, line: line.replace(/(^| +)# .*/, "").trim() }))
        .filter(({ line }) => line !== "");
    },
  );
}

const commands = new Map(pages.map((page) => [page, commandsOf(page)]));
const services = await startServices({ port: 0 });
const mock = await startMock();
afterAll(async () => {
  await mock.close();
  await services.close();
});
const environment: Readonly<Record<string, string>> = {
  ...services.variables,
  // The pnpm that runs this test, and the packages that are installed.
  npm_config_prefer_offline: "true",
  pnpm_config_verify_deps_before_run: "false",
};

it("there are commands, each block says where it is run, and each exception is on a page", () => {
  const all = [...commands.values()].flat();
  expect(all.length).toBeGreaterThan(12);
  const lost = [...commands].flatMap(([page, own]) =>
    own
      .filter(({ place }) => !(place in places))
      .map(({ line }) => `${page}: ${line}`),
  );
  expect(lost).toEqual([]);
  const found = ([pattern]: (typeof elsewhere)[number]) =>
    all.some(({ line }) => pattern.test(line));
  if (isLong) expect(elsewhere.filter((row) => !found(row))).toEqual([]);
});

it("the page Getting started sets the variables that start prints", () => {
  const page = [...commands].find(([name]) =>
    name.includes("getting-started"),
  )?.[1];
  const set = page?.filter(({ line }) => line.startsWith("export "));
  const variables = Object.keys(services.variables).map(
    (name) => `export ${name}=`,
  );
  expect(set?.map(({ line }) => line.replace(/=.*/, "="))).toEqual(variables);
});

const shell = available("sh", ["-c", "curl --version && python3 --version"]);
describe
  .skipIf(!shell)
  .each(
    [...commands].filter(([, all]) => all.some((command) => !isElsewhere(command))),
  )("%s", (_page, all) => {
  const folders = new Map<string, string>();
  const running: ChildProcess[] = [];
  const addresses = new Map<string, string>();
  afterAll(async () => {
    for (const child of running) {
      const ended = new Promise((resolve) => child.once("close", resolve));
      // npx starts further processes.
      process.kill(-(child.pid ?? 0));
      await ended;
    }
    for (const folder of folders.values())
      rmSync(folder, { recursive: true, force: true });
  });

  it.each(all.filter((command) => !isElsewhere(command)))(
    "$place: $line",
    async ({ place, line: written }) => {
      if (written.startsWith("export ")) return;
      let line = written;
      for (const [port, address] of addresses)
        line = line.replaceAll(`http://127.0.0.1:${port}`, address);
      if (/trainyard (serve|mock)\b/.test(line)) {
        const port = /--port (\d+)/.exec(line)?.[1] ?? "4010";
        addresses.set(
          port,
          await serve(place, line.replace(/--port \d+/, "--port 0")),
        );
        return;
      }
      const { status, output, errors } = await run(
        "sh",
        ["-c", line],
        folderOf(place),
        {
          ...environment,
          ...(line.includes("Prefer:") && ofMock()),
          CONTROL_KEY: line.includes("CONTROL_KEY") ? controlKey() : "",
        },
      );
      expect({ status, output, errors }).toMatchObject({ status: 0 });
      // If a command requests a status with a header, it gets that status; otherwise it must succeed.
      const asked = /Prefer: code=(\d+)/.exec(line)?.[1];
      if (asked === undefined) expect(output).not.toContain('"detail"');
      else if (line.includes(" -i ")) expect(output).toContain(asked);
    },
  );

  function folderOf(place: string): string {
    const known = folders.get(place);
    if (known !== undefined) return known;
    const folder = mkdtempSync(join(tmpdir(), "trainyard-commands-"));
    places[place]?.(folder);
    folders.set(place, folder);
    return folder;
  }

  /** Starts a server, and returns its address once it listens. */
  async function serve(place: string, line: string): Promise<string> {
    const child = spawn("sh", ["-c", `exec ${line}`], {
      cwd: folderOf(place),
      detached: true,
      env: { ...process.env, ...environment, TRAINYARD_PORT: "0" },
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
    const clone = folders.get("In the root of the clone") ?? "";
    const note: { controlKey?: string } = JSON.parse(
      readFileSync(join(clone, ".trainyard/server.json"), "utf8"),
    );
    return note.controlKey ?? "";
  }
});

/** The variables of a program that calls the mock. */
function ofMock(): Record<string, string> {
  return Object.fromEntries(
    ["training", "inference", "auxiliary"].map((name) => [
      `TRAINYARD_${name.toUpperCase()}_URL`,
      mock.connect(name).baseUrl,
    ]),
  );
}

function isElsewhere({ line }: Command): boolean {
  return elsewhere.some(([pattern]) => pattern.test(line));
}
