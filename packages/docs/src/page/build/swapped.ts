import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutProse } from "@trainyard/document";
import type { Plugin } from "esbuild";

const source = join(import.meta.dirname, "..");
const temporal = join(source, "temporal.ts");

/** Node's built-in modules that `node.ts` replaces. */
const replaced = /^node:(crypto|fs|fs\/promises|os|path|zlib)$/;

/** Modules that are generated when the page is built, by their import names. */
export type Made = Readonly<Record<string, () => Promise<{ contents: string; resolveDir?: string }>>>;

/**
 * Replaces modules in a page: Node's built-ins, the compiler of validators, and generated modules. A built-in without a
 * replacement may be imported only by code that is left out; otherwise the build fails.
 */
export function swapped(made: Made): Plugin {
  return {
    name: "in a page",
    setup(build) {
      build.onResolve({ filter: /^node:/ }, ({ path }) => {
        if (replaced.test(path)) return { path: join(source, "node.ts") };
        return { path, external: true, sideEffects: false };
      });
      build.onResolve({ filter: /\/compile\.ts$/ }, ({ importer, path }) =>
        path === "./compile.ts" && importer.replaceAll("\\", "/").endsWith("/host/src/validator.ts")
          ? { path: join(source, "worker/built-validators.ts") }
          : undefined,
      );
      build.onLoad({ filter: /\/openapi\.json$/ }, ({ path }) => {
        const bundle: object = JSON.parse(readFileSync(path, "utf8"));
        return { contents: JSON.stringify(withoutProse(bundle)), loader: "json" };
      });
      build.onResolve({ filter: /^temporal-polyfill$/ }, ({ importer }) =>
        importer === temporal ? undefined : { path: temporal },
      );
      build.onResolve({ filter: /^trainyard:/ }, ({ path }) => ({ path, namespace: "made" }));
      build.onLoad({ filter: /.*/, namespace: "made" }, async ({ path }) => {
        const make = made[path];
        if (make === undefined) throw new Error(`No generator is known for ${path}.`);
        return { loader: "js", ...(await make()) };
      });
    },
  };
}
