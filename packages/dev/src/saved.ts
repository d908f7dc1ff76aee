import type { Tree } from "@trainyard/codegen/tree";

/** What became of a file. */
export interface Saved {
  readonly file: string;
  readonly what: "saved" | "added" | "removed";
}

/** The files whose text differs: an editor that saves what is there already has changed nothing. */
export function compareTrees(before: Tree, now: Tree): Saved[] {
  return [
    ...[...now].flatMap(([file, text]): Saved[] => {
      const old = before.get(file);
      return old === text ? [] : [{ file, what: old === undefined ? "added" : "saved" }];
    }),
    ...[...before.keys()].filter((file) => !now.has(file)).map((file): Saved => ({ file, what: "removed" })),
  ];
}
