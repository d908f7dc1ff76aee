import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { operations as auxiliary } from "@trainyard/auxiliary";
import { operations as inference } from "@trainyard/inference";
import { startMock } from "@trainyard/mock";
import { operations as training } from "@trainyard/training";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { startProxy } from "./proxy.ts";

const root = join(import.meta.dirname, "..");
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).toSorted();
const samples = find("{training,inference,auxiliary,programs}/*.ts");
const services = { training, inference, auxiliary };

const mock = await startMock();
const proxy = await startProxy();
const printed: string[] = [];
const environment: Record<string, string> = {
  TRAINYARD_API_KEY: "a-key-for-the-mock",
  TRAINYARD_ACCESS_TOKEN: "a-token-for-the-mock",
  TRAINYARD_PROXY: proxy.url,
};
for (const service of ["training", "inference", "auxiliary"] as const) {
  environment[`TRAINYARD_${service.toUpperCase()}_URL`] =
    mock.connect(service).baseUrl;
}

beforeAll(() => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation(
    (...parts: unknown[]) => void printed.push(parts.join(" ")),
  );
  vi.spyOn(process.stdout, "write").mockImplementation(
    (text) => printed.push(String(text)) > 0,
  );
});
afterEach(() => void printed.splice(0));
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  proxy.close();
  await mock.close();
});

it("there are samples", () => expect(samples.length).toBeGreaterThan(25));

/** What a sample meets that the mock does not answer by itself. */
const plans: Record<string, () => void> = {
  "programs/chat-tools.ts": () =>
    mock.service("inference").once("chat.completions.create", { example: "tools" }),
  "programs/objects.ts": () => {
    const objects = mock.service("auxiliary");
    objects.once("objects.read", { example: "by-alias" });
    objects.once("objects.read", { example: "metadata-only" });
    objects.once("objects.read", { status: 404 });
  },
};

it.each(samples)(
  "%s runs against the mock and prints what it got",
  async (sample) => {
    plans[sample.replaceAll("\\", "/")]?.();
    await import(/* @vite-ignore */ join(root, sample));
    expect(printed.join("").trim()).not.toBe("");
  },
);

/** The mock lives in this process, so a program beside it must not block it. */
function run(
  command: string,
  args: string[],
): Promise<{ status: number | null; output: string; errors: string }> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output, errors }));
  });
}

function available(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

const shell = available("sh", ["-c", "curl --version"]);
it.skipIf(!shell).each(find("{training,inference,auxiliary}/*.sh"))(
  "%s runs with curl",
  async (sample) => {
    const { status, output, errors } = await run("sh", [sample]);
    expect({ status, errors }).toEqual({ status: 0, errors: "" });
    expect(JSON.parse(output)).toBeTypeOf("object");
  },
);

const python = available("python3", ["-c", "import json, urllib.request"]);
it.skipIf(!python)("the samples in Python run", { timeout: 60_000 }, async () => {
  const files = find("{training,inference,auxiliary}/*.py");
  // One after the other in one process: starting Python is most of what each costs.
  const all =
    "import runpy, sys\nfor file in sys.argv[1:]:\n    print('#', file)\n    runpy.run_path(file)\n";
  const { status, output, errors } = await run("python3", ["-c", all, ...files]);
  expect({ status, errors }).toEqual({ status: 0, errors: "" });
  for (const file of files)
    expect(output).toMatch(new RegExp(`# ${file.replaceAll("\\", "/")}\\n[{[]`));
});

/** `models.checkpoints.list` → `models-checkpoints-list`, as the operation's own file is named. */
function fileOf(method: string): string {
  return method
    .replaceAll(".", "-")
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

for (const [service, operations] of Object.entries(services)) {
  it.each(Object.keys(operations))(
    `${service}.%s has a sample in each language, which calls it`,
    (method) => {
      const sample = join(root, service, fileOf(method));
      for (const ending of ["ts", "sh", "py"])
        expect(existsSync(`${sample}.${ending}`), `${sample}.${ending}`).toBe(true);
      expect(readFileSync(`${sample}.ts`, "utf8")).toContain(
        `${service}.${method}(`,
      );
    },
  );
}

it("every sample is named for an operation", () => {
  const names = new Set<string>();
  for (const operations of Object.values(services))
    for (const method of Object.keys(operations)) names.add(fileOf(method));
  const strangers = find("{training,inference,auxiliary}/*").filter(
    (sample) => !names.has(basename(sample).replace(/\.\w+$/, "")),
  );
  expect(strangers).toEqual([]);
});
