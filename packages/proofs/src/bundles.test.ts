/**
 * The published bundles in tools of other people: plain Prism serves them, and two generators write clients, which are compiled
 * under `strict` and call the mock. `pnpm exec vitest run --project bundles` runs it, with tools from the npm registry.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startMock, type Mock } from "@trainyard/mock";
import { run, started } from "@trainyard/release/run";
import { installTools } from "@trainyard/release/tools";
import { root } from "@trainyard/release/workspace";
import { bodyExamples, byPath, packages } from "@trainyard/testing/services";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { shownResponses } from "./shown-responses.ts";
import { callers } from "./bundles/programs.ts";

/** The bundles as they are published: one file each, with no other file of ours beside it. */
const bundles = packages.map((client) => ({
  service: client.name,
  client,
  file: join(root, "packages", client.name, "src/generated/openapi.json"),
}));

describe.skipIf(process.env["BUNDLES"] === undefined)("the published bundles", () => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bundles-"));
  const tool = (file: string, ...args: string[]): string =>
    run(process.execPath, [join("node_modules", file), ...args], { cwd: folder });
  const write = (file: string, content: string | object): void =>
    writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  let mock: Mock;

  beforeAll(async () => {
    symlinkSync(join(installTools("generators"), "node_modules"), join(folder, "node_modules"), "junction");
    mock = await startMock();
  }, 600_000);
  afterAll(async () => {
    await mock.close();
    rmSync(folder, { recursive: true });
  });

  it.each(bundles)("of $service: plain Prism answers with each example", async ({ service, client, file }) => {
    const args = ["node_modules/@stoplight/prism-cli/dist/index.js", "mock", "--port", "0", file];
    const ready = /listening on (http:\/\/[\d.]+:\d+)/;
    const { child, match } = await started(process.execPath, args, { cwd: folder }, ready);
    onTestFinished(() => void child.kill());
    const connected = client.connect({ baseUrl: `${match[1]}`, apiKey: "any", maxRetries: 0 });
    const shown = shownResponses.filter(({ entry, mediaType }) => entry.service === service && mediaType !== undefined);
    for (const { entry, status, mediaType = "", example, value } of shown) {
      const [body] = bodyExamples(entry).values();
      const headers = { accept: mediaType, prefer: `code=${status}, example=${example}` };
      const parseAs = mediaType === "application/json" ? "json" : "text";
      const { response, data, error } = await byPath(connected, entry)(body, { headers, parseAs });
      expect([entry.operation.name, response.status, example, data ?? error]).toEqual([
        entry.operation.name,
        status,
        example,
        value,
      ]);
    }
    expect(shown.length).toBeGreaterThan(10);
  });

  /** Each generator of clients, which writes to `src/<generator>`. */
  const generators: Readonly<Record<keyof typeof callers, () => unknown>> = {
    "hey-api": () => {
      const options = ["--client", "@hey-api/client-fetch", "--no-log-file"];
      for (const { service, file } of bundles) {
        const output = `src/hey-api/${service}`;
        tool("@hey-api/openapi-ts/bin/run.js", "--input", file, ...options, "--output", output);
      }
    },
    orval: () => {
      const projects = bundles.map(({ service, file }) => {
        const output = { target: `src/orval/${service}.ts`, client: "fetch", baseUrl: mock.addresses[service] };
        return [service, { input: file, output }];
      });
      write("orval.config.mjs", `export default ${JSON.stringify(Object.fromEntries(projects))};`);
      tool("orval/dist/bin/orval.mjs", "--config", "orval.config.mjs");
    },
  };

  it.each(Object.entries(callers))("become a client by %s, which calls the mock", async (name, program) => {
    mkdirSync(join(folder, "src", name), { recursive: true });
    Object(generators)[name]();
    const source = `src/${name}.ts`;
    write(source, program);
    const lib = ["es2023", "dom", "dom.iterable"];
    const modules = { target: "es2023", module: "esnext", moduleResolution: "bundler", lib, types: ["node"] };
    const compilerOptions = { ...modules, strict: true, skipLibCheck: false, noEmit: true };
    write("tsconfig.json", { compilerOptions, include: [source, `src/${name}/**/*`] });
    tool("typescript/bin/tsc", "-p", "tsconfig.json");
    const outfile = join(folder, `out/${name}.mjs`);
    const entryPoints = [join(folder, source)];
    await build({ entryPoints, bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" });
    const env = { ...process.env, KEY: "a-key-for-the-mock", ADDRESSES: JSON.stringify(mock.addresses) };
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: folder, env });
    expect(stdout).toContain("All calls are answered.");
  });
});
