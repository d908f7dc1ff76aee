import { cpSync } from "node:fs";
import { expect, it } from "vitest";
import { deriveOlder } from "../src/store/derive-older.ts";
import { forgetRows, makeRollouts } from "./console/rollouts.ts";
import { temporaryFolder } from "./folders.ts";
import { allShown, makeServer, shown, until } from "./lib.ts";
import { startProcess } from "./own-process.ts";

const size = { steps: 100, groups: [4, 4, 4, 4], whole: true };

/** What the pages show of the run, once all of it is read. */
async function allPages(folder: string, id: string): Promise<{ pages: unknown[]; notices: string[] }> {
  const notices: string[] = [];
  const server = makeServer({ data: folder, notice: (sentence) => notices.push(sentence) });
  const [local, ofRun] = [server.connect("local"), { run_id: id }];
  // The jobs are read last.
  await until(async () => (await allShown(local, "jobs", id))[0]?.groups === size.groups.length);
  const pages = await Promise.all([
    shown(local, "/runs/{run_id}", ofRun),
    shown(local, "/runs/{run_id}/curve", ofRun),
    server.control.runs.marks(id),
    shown(local, "/runs/{run_id}/groups", ofRun, { limit: 200 }).then(({ data }) => data),
    allShown(local, "jobs", id),
    server.control.runs.rollouts.export(id),
  ]);
  await server.end();
  return { pages, notices };
}

it("derives the rows of older data in pieces, after it was killed too", async () => {
  const [older, newer] = [temporaryFolder(), temporaryFolder()];
  const id = makeRollouts(newer, size);
  cpSync(newer, older, { recursive: true });
  forgetRows(older);
  // The server answers while it reads, and is killed in the middle.
  for (let time = 0; time < 2; time++) {
    const running = await startProcess(older);
    expect((await running.control.runs.list()).data).toMatchObject([{ id }]);
    await running.kill();
  }
  const [ours, same] = [await allPages(older, id), await allPages(newer, id)];
  expect(ours.pages).toEqual(same.pages);
  expect(same.notices.join(" ")).not.toContain("earlier version");
});

it("prints how much is left, and what is damaged", async () => {
  const pieces = [
    { left: 3, damaged: ["A log is damaged."] },
    { left: 0, damaged: [] },
  ];
  const notices: string[] = [];
  const store = { call: () => Promise.resolve(pieces.shift()), read: () => Promise.resolve([]) };
  await deriveOlder(store as never, (sentence) => notices.push(sentence), new AbortController().signal);
  expect(notices).toEqual([
    "A log is damaged.",
    expect.stringContaining("an earlier version stored: 3 left"),
    "The console shows all logs and jobs of the earlier version.",
  ]);
});
