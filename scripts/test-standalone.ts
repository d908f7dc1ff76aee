/**
 * `pnpm test standalone`: the published bundles in third-party tools. Serves them with plain Prism, validates them with
 * three validators, reads them as mocks, and lets four generators create types and clients, which are compiled under
 * `strict`; two of them call the mock. Uses the npm registry.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { started } from "@trainyard/release/run";
import { installTools } from "@trainyard/release/tools";
import { readBundles } from "./standalone/bundles.ts";
import { call, callers, compile, generate, generators } from "./standalone/generators.ts";
import { testWithPrism } from "./standalone/prism.ts";
import { read, readers } from "./standalone/readers.ts";

const root = join(import.meta.dirname, "..");
const runFolder = mkdtempSync(join(tmpdir(), "trainyard-standalone-"));
const bundles = readBundles(root);

async function step<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    const result = await work();
    console.log(`✓ ${what.padEnd(64)} ${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s`);
    return result;
  } catch (error) {
    console.error(`✗ ${what}`);
    throw error;
  }
}

const node = process.execPath;
try {
  const made = join(runFolder, "made");
  await step("install other people's tools", () => {
    const tools = installTools("generators");
    mkdirSync(made);
    symlinkSync(join(tools, "node_modules"), join(made, "node_modules"), "junction");
  });
  for (const bundle of bundles) {
    const count = await step(`${bundle.service}: each example by plain Prism`, () => testWithPrism(node, made, bundle));
    console.log(`  ${count} answers`);
  }
  for (const name of readers)
    for (const bundle of bundles) await step(`${bundle.service}: ${name}`, () => read(node, made, name, bundle));
  // In a separate process, because these steps block until their commands end.
  const cli = ["--conditions=@trainyard/source", join(root, "packages/mock/src/cli.ts"), "--port", "0"];
  const mock = await started(node, cli, { cwd: root }, /http:\/\/127\.0\.0\.1:\d+/);
  try {
    const addresses = bundles.map(({ service, document }) => [service, mock.match[0] + document.prefix]);
    const target = { key: "a-key-for-the-mock", addresses: Object.fromEntries(addresses) };
    for (const name of generators) await step(`${name}: generate`, () => generate(node, made, name, bundles, target));
    await step("compile their output", () => compile(node, made));
    for (const name of callers) await step(`${name}: call the mock`, () => call(node, made, name, target));
  } finally {
    mock.child.kill();
  }
  console.log("\nThe documents work in all tools.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error("\nFix the document, or the pinned version above, then run: npx -y pnpm@12 test standalone");
  process.exitCode = 1;
} finally {
  rmSync(runFolder, { recursive: true, force: true });
}
