import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

// The bundle of each entry that a program imports as a client must run wherever `fetch` exists.
const entries = [
  "@trainyard/training",
  "@trainyard/training/rollouts",
  "@trainyard/training/validators",
  "@trainyard/inference",
  "@trainyard/inference/validators",
  "@trainyard/auxiliary",
  "@trainyard/auxiliary/validators",
];

const onlyInNode = [
  "process",
  "Buffer",
  "global",
  "setImmediate",
  "clearImmediate",
  "__dirname",
  "__filename",
  "module",
  "exports",
];

/**
 * Bundles a program without a platform, so that built-ins of Node cannot be resolved. Global names of Node become marks;
 * properties of `globalThis`, which may be undefined, stay.
 */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, ".."), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    conditions: ["@trainyard/source"],
    define: Object.fromEntries(
      onlyInNode.map((name) => [name, `only_in_node_${name}`]),
    ),
    legalComments: "none",
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** Everything of Node that a bundle uses. */
function reached(bundle: string): string[] {
  return (
    bundle.match(/\bonly_in_node_\w+|\b__require\(|\brequire\(|["']node:\w+/g) ?? []
  );
}

describe("entries", () => {
  it.each(entries)("%s uses nothing of Node", async (entry) => {
    const bundle = await bundled(`export * from ${JSON.stringify(entry)};`);
    expect(bundle.length).toBeGreaterThan(1000);
    expect(reached(bundle)).toEqual([]);
  });

  it.each([
    "export const key = process.env.KEY;",
    "export const bytes = Buffer.from('');",
    "export const here = __dirname;",
    "export const load = (name: string) => require(name);",
  ])("this is seen: %s", async (program) => {
    expect(reached(await bundled(program))).not.toEqual([]);
  });

  it.each([
    "import 'node:fs';",
    "export * from 'fs';",
    "export const load = () => import('node:fs');",
  ])("this does not bundle: %s", async (program) => {
    await expect(bundled(program)).rejects.toThrow(/Could not resolve/);
  });

  it("allows a program to check whether there is a process", async () => {
    const program =
      "const process = globalThis.process; export const key = process?.env.KEY ?? globalThis.process?.argv;";
    expect(reached(await bundled(program))).toEqual([]);
  });
});
