import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { TrainerOptions } from "./trainer.ts";

/** Whether the program of a trainer exists: at its path, or in PATH if it is a name alone. */
export function isThere({ command: [program], cwd = "." }: Pick<TrainerOptions, "command" | "cwd">): boolean {
  const { PATH = "", PATHEXT = "" } = process.env;
  const endings = process.platform === "win32" ? ["", ...PATHEXT.split(";")] : [""];
  const folders = /[\\/]/.test(program) ? [cwd] : PATH.split(delimiter);
  return folders.some((folder) => endings.some((ending) => existsSync(resolve(folder, program + ending))));
}
