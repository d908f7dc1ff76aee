/**
 * A package's `build`: compiles its `src` into an empty `dist`, with the compiler of the root. What an earlier build left
 * behind would be packed with the package, and turbo would keep it in its cache.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

rmSync("dist", { recursive: true, force: true });
const tsc = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
process.exitCode = status ?? 1;
