/**
 * A package's `build`: compiles its `src` to an empty `dist`, with the compiler of the root. Files of an earlier build
 * would be packed with the package, and stored in turbo's cache.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

rmSync("dist", { recursive: true, force: true });
const tsc = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
process.exitCode = status ?? 1;
