import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./lib.ts";

/** The notes of a test's program: that it had `begun`, or was `asked` to end. */
export interface Note {
  readonly what: string;
  readonly id: string;
  readonly pid: number;
  readonly node: string;
}

/** The files that the program of a test waits for, and its notes. */
export function newGates() {
  const folder = temporaryFolder();
  return {
    folder,
    open: (name: string) => writeFileSync(join(folder, name), ""),
    notes: (): Note[] => {
      const file = join(folder, "notes");
      if (!existsSync(file)) return [];
      const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
      return lines.map((line) => {
        const [what = "", id = "", pid = "", node = ""] = line.split(" ");
        return { what, id, pid: Number(pid), node };
      });
    },
  };
}
