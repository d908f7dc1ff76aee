import { readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

// Tests read the packages' sources: none of them waits for a build, but those of the validators.
const conditions = ["@trainyard/source"];
const packages = readdirSync(new URL("packages", import.meta.url)).filter((name) => !name.startsWith("."));
// What is not named by `--project` is not set up either, which takes longer than the tests of a small package.
const named = process.argv.flatMap((argument, at, all) =>
  argument === "--project" ? (all[at + 1] ?? []) : argument.startsWith("--project=") ? argument.slice(10) : [],
);
const plain = named.length > 0 && named.every((name) => packages.includes(name));
// `pnpm test` runs the tests through turbo, and without the long ones.
const isShort = process.env["TURBO_HASH"] !== undefined;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: isShort ? ["default", "json"] : ["default"],
    tags: [{ name: "long", description: "Takes more than about half a second of processor time: `pnpm test long`." }],
    ...(isShort && { tagsFilter: ["!long"] }),
    projects: (plain ? named : packages).map((name) => ({
      extends: true,
      test: {
        name,
        // All have the root of the repository, so that they share the cache of transformed sources.
        include: [`packages/${name}/{src,test}/**/*.test.ts`],
        // The files of a package share what takes long to load: a bundle, Prism, the documents.
        isolate: false,
        // Timings decide no test: these only end what hangs.
        testTimeout: 60_000,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 55_000 } },
      },
    })),
  },
});
