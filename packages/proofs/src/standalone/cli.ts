/**
 * `pnpm test:standalone`: the published bundles in third-party tools. Serves them with plain Prism, and lets two generators
 * create clients, which are compiled under `strict` and call the mock. Uses the npm registry.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "@trainyard/document";
import { run, started } from "@trainyard/release/run";
import { refuse, Steps } from "@trainyard/release/steps";
import { installTools } from "@trainyard/release/tools";
import { root } from "@trainyard/release/workspace";
import { packages } from "@trainyard/testing/services";
import { build } from "esbuild";
import { askForExamples } from "./prism.ts";
import { callers } from "./programs.ts";

/** A folder for this run, with the tools. */
const folder = mkdtempSync(join(tmpdir(), "trainyard-standalone-"));
/** The bundles as they are published: one file each, with no other file of ours beside it. */
const bundles = packages.map(({ name, document }) => ({
  service: name,
  file: join(root, "packages", name, "src/generated/openapi.json"),
  prefix: readDocument(document).prefix,
}));
const steps = new Steps();
const tool = (file: string, ...args: string[]): string =>
  run(process.execPath, [join("node_modules", file), ...args], { cwd: folder });
const write = (file: string, content: string | object): void =>
  writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content, null, 2));

/** Each generator of clients, which writes to `src/<generator>`. */
const generators: Readonly<Record<string, (addresses: Readonly<Record<string, string>>) => void>> = {
  "hey-api"() {
    const options = ["--client", "@hey-api/client-fetch", "--no-log-file"];
    for (const { service, file } of bundles) {
      const output = `src/hey-api/${service}`;
      tool("@hey-api/openapi-ts/bin/run.js", "--input", file, ...options, "--output", output);
    }
  },
  orval(addresses) {
    const projects = bundles.map(({ service, file }) => {
      const output = { target: `src/orval/${service}.ts`, client: "fetch", baseUrl: addresses[service] };
      return [service, { input: file, output }];
    });
    write("orval.config.mjs", `export default ${JSON.stringify(Object.fromEntries(projects))};`);
    tool("orval/dist/bin/orval.mjs", "--config", "orval.config.mjs");
  },
};

async function runTools(): Promise<void> {
  for (const { service, file } of bundles) {
    const found = await steps.take(`${service}: each example by plain Prism`, async () => {
      const args = ["node_modules/@stoplight/prism-cli/dist/index.js", "mock", "--port", "0", file];
      const ready = /listening on (http:\/\/[\d.]+:\d+)/;
      const { child, match } = await started(process.execPath, args, { cwd: folder }, ready);
      try {
        return await askForExamples(service, `${match[1]}`);
      } finally {
        child.kill();
      }
    });
    if (found) console.log(`  ${found.value} answers`);
  }
  // In a separate process, because these steps block until their commands end.
  const command = [join(root, "packages/trainyard/src/cli.ts"), "mock", "--port", "0"];
  const cli = ["--conditions=@trainyard/source", ...command];
  const mock = await started(process.execPath, cli, { cwd: root }, /http:\/\/127\.0\.0\.1:\d+/);
  const addresses = Object.fromEntries(bundles.map(({ service, prefix }) => [service, mock.match[0] + prefix]));
  try {
    for (const [name, generate] of Object.entries(generators))
      await steps.take(`${name}: generate`, () => {
        mkdirSync(join(folder, "src", name), { recursive: true });
        generate(addresses);
      });
    for (const [name, program] of Object.entries(callers)) write(`src/${name}.ts`, program);
    await steps.take("compile their output", () => {
      const lib = ["es2023", "dom", "dom.iterable"];
      const modules = { target: "es2023", module: "esnext", moduleResolution: "bundler", lib, types: ["node"] };
      const compilerOptions = { ...modules, strict: true, skipLibCheck: false, noEmit: true };
      write("tsconfig.json", { compilerOptions, include: ["src"] });
      tool("typescript/bin/tsc", "-p", "tsconfig.json");
    });
    for (const name of Object.keys(callers))
      await steps.take(`${name}: call the mock`, async () => {
        const outfile = join(folder, `out/${name}.mjs`);
        const entryPoints = [join(folder, `src/${name}.ts`)];
        await build({ entryPoints, bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" });
        const env = { KEY: "a-key-for-the-mock", ADDRESSES: JSON.stringify(addresses) };
        const output = run(process.execPath, [outfile], { cwd: folder, env });
        refuse(output.includes("All calls are answered.") ? [] : [`It did not finish:\n${output}`]);
      });
  } finally {
    mock.child.kill();
  }
}

try {
  const installed = await steps.take("install other people's tools", () => {
    symlinkSync(join(installTools("generators"), "node_modules"), join(folder, "node_modules"), "junction");
  });
  if (installed) await runTools();
  else console.error("\nThe remaining steps depend on it and were not run.");
} finally {
  rmSync(folder, { recursive: true, force: true });
  steps.close();
  if (process.exitCode)
    console.error("\nFix the document, or the pinned version above, then run: npx -y pnpm@12 test:standalone");
}
