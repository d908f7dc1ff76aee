/**
 * `pnpm test:standalone`: the bundles without anything of ours. Serves them with plain Prism, and lets two other generators
 * make clients of them, which are compiled and call the mock. Reaches the npm registry.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install } from "@trainyard/release/npm";
import { started } from "@trainyard/release/run";
import { readBundles } from "./standalone/bundles.ts";
import { call, compile, generate, type Generator } from "./standalone/generators.ts";
import { testWithPrism } from "./standalone/prism.ts";

const root = join(import.meta.dirname, "..");
const place = mkdtempSync(join(tmpdir(), "trainyard-standalone-"));
const bundles = readBundles(root);

const prism = { dependencies: { "@stoplight/prism-cli": "5.14.2" } };
const generators = {
  dependencies: {
    "@hey-api/openapi-ts": "0.99.0",
    "@types/node": "^24",
    orval: "8.38.0",
    typescript: "5.9.3",
  },
  // What Orval would take instead asks for a version of its validator that is not everywhere to be had.
  overrides: { "@scalar/openapi-parser": "0.29.7" },
};

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

function installIn(name: string, manifest: object): string {
  const folder = join(place, name);
  install(folder, { name, type: "module", ...manifest });
  return folder;
}

const node = process.execPath;
try {
  const served = await step("install Prism", () => installIn("prism", prism));
  for (const bundle of bundles) {
    const count = await step(`${bundle.service}: each example by plain Prism`, () =>
      testWithPrism(node, served, bundle),
    );
    console.log(`  ${count} answers`);
  }
  const made = await step("install two other generators", () => installIn("generators", generators));
  // In a process of its own: what is run here waits for what it runs.
  const cli = ["--conditions=@trainyard/source", join(root, "packages/mock/src/cli.ts"), "--port", "0"];
  const mock = await started(node, cli, { cwd: root }, /http:\/\/127\.0\.0\.1:\d+/);
  try {
    const addresses = bundles.map(({ service, document }) => [service, mock.match[0] + document.prefix]);
    const target = { key: "a-key-for-the-mock", addresses: Object.fromEntries(addresses) };
    const names: Generator[] = ["hey-api", "orval"];
    for (const name of names) await step(`${name}: generate`, () => generate(node, made, name, bundles, target));
    await step("compile what they made", () => compile(node, made));
    for (const name of names) await step(`${name}: call the mock`, () => call(node, made, name, target));
  } finally {
    mock.child.kill();
  }
  console.log("\nThe documents stand alone.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error("\nMend the document, or the version that is pinned above, then run: npx -y pnpm@12 test:standalone");
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
