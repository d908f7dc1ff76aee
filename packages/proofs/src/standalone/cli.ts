/**
 * `pnpm test standalone`: the published bundles in third-party tools. Serves them with plain Prism, validates them with
 * three validators, reads them as mocks, and lets four generators create types and clients, which are compiled under
 * `strict`; two of them call the mock. Then our host and generator read documents of other people. Uses the npm registry.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, started } from "@trainyard/release/run";
import { Steps } from "@trainyard/release/steps";
import { installTools } from "@trainyard/release/tools";
import { readBundles } from "./bundles.ts";
import { call, callers, compile, generate, generators } from "./generators.ts";
import { testWithPrism } from "./prism.ts";
import { read, readers } from "./readers.ts";

const root = join(import.meta.dirname, "../../../..");
const runFolder = mkdtempSync(join(tmpdir(), "trainyard-standalone-"));
const bundles = readBundles(root);

const steps = new Steps();
const node = process.execPath;
const made = join(runFolder, "made");

async function readAll(): Promise<void> {
  for (const bundle of bundles) {
    const found = await steps.take(`${bundle.service}: each example by plain Prism`, () =>
      testWithPrism(node, made, bundle),
    );
    if (found) console.log(`  ${found.value} answers`);
  }
  for (const name of readers)
    for (const bundle of bundles) await steps.take(`${bundle.service}: ${name}`, () => read(node, made, name, bundle));
  // In a separate process, because these steps block until their commands end.
  const cli = ["--conditions=@trainyard/source", join(root, "packages/mock/src/cli.ts"), "--port", "0"];
  const mock = await started(node, cli, { cwd: root }, /http:\/\/127\.0\.0\.1:\d+/);
  try {
    const addresses = bundles.map(({ service, document }) => [service, mock.match[0] + document.prefix]);
    const target = { key: "a-key-for-the-mock", addresses: Object.fromEntries(addresses) };
    for (const name of generators)
      await steps.take(`${name}: generate`, () => generate(node, made, name, bundles, target));
    await steps.take("compile their output", () => compile(node, made));
    for (const name of callers) await steps.take(`${name}: call the mock`, () => call(node, made, name, target));
  } finally {
    mock.child.kill();
  }
}

try {
  const installed = await steps.take("install other people's tools", () => {
    const tools = installTools("generators");
    mkdirSync(made);
    symlinkSync(join(tools, "node_modules"), join(made, "node_modules"), "junction");
  });
  if (installed) await readAll();
  else console.error("\nThe remaining steps depend on it and were not run.");
  const strangers = ["run", "--project", "proofs", "src/strangers"];
  await steps.take("other people's documents, in the host and the generator", () =>
    run("vitest", strangers, { cwd: root, env: { STRANGERS: "whole" } }),
  );
} finally {
  rmSync(runFolder, { recursive: true, force: true });
  steps.close();
  if (process.exitCode)
    console.error("\nFix the document, or the pinned version above, then run: npx -y pnpm@12 test standalone");
}
