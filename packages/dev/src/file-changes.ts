import type { Tree } from "@trainyard/codegen/tree";

/** How a file changed. */
export interface FileChange {
  readonly file: string;
  readonly what: "saved" | "added" | "removed";
}

/** The files whose text differs. Saving a file without a change is not a change. */
export function compareTrees(before: Tree, now: Tree): FileChange[] {
  return [
    ...[...now].flatMap(([file, text]): FileChange[] => {
      const old = before.get(file);
      return old === text ? [] : [{ file, what: old === undefined ? "added" : "saved" }];
    }),
    ...[...before.keys()].filter((file) => !now.has(file)).map((file): FileChange => ({ file, what: "removed" })),
  ];
}
