/**
 * `pnpm bench gate`: how often the gate, `redocly diff` and `api-smart-diff` say as a careful reviewer does whether a change
 * breaks callers, and how long 500 changes take against one. All three get the same bundles. A warning counts as no break. It fails if the gate is right less often than its
 * bar.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { warmRedocly } from "@trainyard/document/files";
import { dialect } from "@trainyard/document";
import { textTable } from "@trainyard/terminal/table";
import { root } from "@trainyard/release/workspace";
import { apiDiff } from "api-smart-diff";

const bar = 0.97;

/** A row of the table of `pnpm exec vitest run --project changes`. */
interface Row {
  readonly before: { readonly root: unknown };
  readonly now: () => { readonly root: unknown };
  /** The verdicts of a careful reviewer: `breaking or warning`. */
  readonly judgment: string;
}

const module: {
  readonly lists: Readonly<Record<string, readonly Row[]>>;
  readonly changesOf: (row: Row) => readonly { readonly verdict: string }[];
} = await import(pathToFileURL(join(root, "packages/contract/test/gate/all.ts")).href);

const many: {
  readonly reportMany: (changed: number, isSplit: boolean) => { readonly milliseconds: number };
} = await import(pathToFileURL(join(root, "packages/contract/test/gate/many.ts")).href);

const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-gate-"));
const redocly = warmRedocly();

/** Whether a tool calls a change breaking. */
const tools: Readonly<Record<string, (row: Row) => boolean | Promise<boolean>>> = {
  "contract check": (row) => module.changesOf(row).some(({ verdict }) => verdict === "breaking"),
  "redocly diff": async (row) => {
    writeFileSync(join(folder, "before.json"), JSON.stringify(row.before.root));
    writeFileSync(join(folder, "now.json"), JSON.stringify(row.now().root));
    await redocly(["diff", "before.json", "now.json", "--format=json", "--output=diff.json"], folder);
    const { bump }: { readonly bump: string } = JSON.parse(readFileSync(join(folder, "diff.json"), "utf8"));
    rmSync(join(folder, "diff.json"));
    return bump === "major";
  },
  // It adds to what it compares.
  "api-smart-diff": (row) =>
    apiDiff(structuredClone(row.before.root), structuredClone(row.now().root)).some(({ type }) => type === "breaking"),
};

const ownKeys = new Set<string>(Object.values(dialect).map(({ key }) => key));

/** A document without our own keys, which other tools cannot know. */
function plain(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (ownKeys.has(key) ? undefined : value)));
}

/** Whether only a key of ours, or the source code of callers, shows a change. */
function isOurs({ before, now, judgment }: Row): boolean {
  return judgment.endsWith(" for source") || isDeepStrictEqual(plain(before.root), plain(now().root));
}

const all = Object.entries(module.lists);
const ours = "Only our own keys or source code";
const lists = [
  ...all.map(([title, rows]): [string, Row[]] => [title, rows.filter((row) => !isOurs(row))]),
  [ours, all.flatMap(([, rows]) => rows.filter(isOurs))] as const,
];
try {
  for (const [title, rows] of lists) {
    const table = [[title, "right", "", "missed breaks", "false breaks"]];
    for (const [name, breaks] of Object.entries(tools)) {
      let [missed, wrong] = [0, 0];
      for (const row of rows) {
        const verdicts = row.judgment.replace(" for source", "").split(" or ");
        const isBreaking = await breaks(row);
        if (isBreaking && !verdicts.includes("breaking")) wrong++;
        if (!isBreaking && verdicts.every((verdict) => verdict === "breaking")) missed++;
      }
      const right = rows.length - missed - wrong;
      const share = right / rows.length;
      table.push([name, `${right} of ${rows.length}`, `${(100 * share).toFixed(1)} %`, String(missed), String(wrong)]);
      if (name === "contract check" && share < bar) process.exitCode = 1;
    }
    console.log(`${textTable(table).join("\n")}\n`);
  }
  for (const isSplit of [false, true]) {
    // The faster of two runs, because other work on the machine only adds time.
    const [most, one] = [500, 1].map((changed) =>
      Math.min(...[1, 2].map(() => many.reportMany(changed, isSplit).milliseconds)),
    ) as [number, number];
    const ratio = most / one;
    const where = isSplit ? "a file for each operation" : "one file";
    console.log(`500 changes, with their report, against 1, in ${where}: × ${ratio.toFixed(1)} (bar: × 10)`);
    if (ratio > 10) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
