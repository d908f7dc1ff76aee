import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { filesOf, proofs } from "./scripts/proofs.ts";

// Tests read the packages' sources: none of them waits for a build, but those of the validators.
const conditions = ["@trainyard/source"];
const packages = readdirSync(new URL("packages", import.meta.url)).filter((name) => !name.startsWith("."));
// A run of short or of long tests loads no file without one. Vitest's `preParse` would also drop a file whose tests are all `skipIf`.
const filter = process.argv
  .map((argument) => argument.replace("--tags-filter=", ""))
  .find((one) => /^!?long$/.test(one));
const isLeftOut = (text: string): boolean =>
  filter === "long" ? !/@module-tag long|"long"/.test(text) : text.startsWith("/** @module-tag long */");
const left = globSync(filter === undefined ? [] : "packages/*/{src,test}/**/*.test.ts", {
  cwd: import.meta.dirname,
}).filter((file) => isLeftOut(readFileSync(join(import.meta.dirname, file), "utf8")));
const own: Readonly<Record<string, TestProjectInlineConfiguration["test"]>> = {
  ...Object.fromEntries(
    packages.map((name) => [name, { include: [`packages/${name}/{src,test}/**/*.test.ts`], exclude: left }]),
  ),
  ...Object.fromEntries(
    Object.entries(proofs).map(([name, proof]) => [
      name,
      {
        include: filesOf(proof),
        env: Object.fromEntries(Object.entries(proof.env).map(([key, value]) => [key, process.env[key] ?? value])),
        testTimeout: (proof.minutes ?? 10) * 60_000,
      },
    ]),
  ),
};
// What is not named is not set up either, which takes longer than the tests of a small package. Without a name, proofs are left out.
const named = process.argv.flatMap((argument, at, all) =>
  argument === "--project" ? (all[at + 1] ?? []) : argument.startsWith("--project=") ? argument.slice(10) : [],
);
const wanted = named.length > 0 ? named : packages;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: ["default", "./scripts/counts.ts"],
    tags: [{ name: "long", description: "Takes more than about half a second of processor time." }],
    // The files of a package share what takes long to load: a bundle, Prism, the documents.
    isolate: false,
    // Timings decide no test: these only end what hangs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 55_000 } },
    // Tests start hundreds of processes with the same sources, which would otherwise each compile them.
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(import.meta.dirname, ".turbo/compile") },
    // All have the root of the repository, so that they share the cache of transformed sources.
    projects: Object.entries(own)
      .filter(([name]) => wanted.includes(name))
      .map(([name, test]) => ({ extends: true, test: { ...test, name } })),
  },
});
