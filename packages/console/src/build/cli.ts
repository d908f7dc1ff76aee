/** Builds the console's pages into `dist`, or into the folder of the argument. */
import { join, resolve } from "node:path";
import { buildConsole } from "./build.ts";

await buildConsole(resolve(process.argv[2] ?? join(import.meta.dirname, "../../dist")));
