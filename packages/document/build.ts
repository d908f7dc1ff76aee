/** Puts the library that upgrades 3.0 into `dist/upgrade.js`, with its license: installed, it would refuse Node 20. */
import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";

const file = "dist/upgrade.js";
const license = readFileSync("node_modules/@scalar/openapi-upgrader/LICENSE", "utf8");
buildSync({
  entryPoints: [file],
  outfile: file,
  allowOverwrite: true,
  bundle: true,
  format: "esm",
  platform: "node",
  external: ["@trainyard/*"],
  sourcemap: true,
  banner: { js: `/*!\n@scalar/openapi-upgrader\n\n${license.trim()}\n*/` },
});
