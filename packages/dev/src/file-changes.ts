import type { Tree } from "@trainyard/codegen/tree";

/** What became of a file. */
export interface FileChange {
  readonly file: string;
  readonly what: "saved" | "added" | "removed";
}

/** The files whose text differs: an editor that saves what is there already has changed nothing. */
export function compareTrees(before: Tree, now: Tree): FileChange[] {
  return [
    ...[...now].flatMap(([file, text]): FileChange[] => {
      const old = before.get(file);
      return old === text ? [] : [{ file, what: old === undefined ? "added" : "saved" }];
    }),
    ...[...before.keys()].filter((file) => !now.has(file)).map((file): FileChange => ({ file, what: "removed" })),
  ];
}
