import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of the repository. */
export const root: string = join(import.meta.dirname, "../../../..");

/** A folder for this run, outside the workspace, removed at its end. */
export const runFolder: string = mkdtempSync(join(tmpdir(), "trainyard-packages-"));

/** The program of another team, with the packed packages. */
export const program: string = join(runFolder, "program");
