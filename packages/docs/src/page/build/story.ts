import { readFileSync } from "node:fs";
import { join } from "node:path";
import { samples } from "../../places.ts";

const start = join(samples, "start");

interface Import {
  readonly kind: string;
  readonly file: string;
  readonly as?: string;
}

function readImports(): readonly Import[] {
  return JSON.parse(readFileSync(join(start, "data/imports.json"), "utf8"));
}

const linesOf = (file: string): string[] => readFileSync(join(start, file), "utf8").trim().split("\n");

/** A module with the data that `pnpm start` imports, in its order. */
export function writeStory(): string {
  const story = readImports().map(({ file, ...rest }) => ({
    ...rest,
    records: linesOf(file).map((line): unknown => JSON.parse(line)),
  }));
  return `export const story = ${JSON.stringify(story)};`;
}
