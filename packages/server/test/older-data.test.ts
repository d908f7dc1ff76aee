import { expect, it } from "vitest";
import { deriveOlder } from "../src/store/derive-older.ts";
import { madeRun, makeRollouts } from "./console/rollouts.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, until } from "./lib.ts";
import { startProcess } from "./own-process.ts";

const size = { steps: 100, groups: 4, attempts: 4, whole: true };

/** What the pages show of the run, once all of it is read. */
async function shown(folder: string): Promise<{ pages: unknown[]; notices: string[] }> {
  const notices: string[] = [];
  const server = makeServer({ data: folder, notice: (sentence) => notices.push(sentence) });
  const { runs } = server.control;
  // The jobs are read last.
  await until(async () => (await runs.jobs.list(madeRun)).data[0]?.groups === size.groups);
  const pages = await Promise.all([
    runs.get(madeRun),
    runs.curve(madeRun),
    runs.findings(madeRun),
    runs.groups.list(madeRun, { limit: 200 }).then(({ data }) => data),
    runs.jobs.list(madeRun).then(({ data }) => data),
    runs.rollouts.export(madeRun),
  ]);
  await server.end();
  return { pages, notices };
}

it("derives the rows of older data in pieces, after it was killed too", async () => {
  const [older, newer] = [temporaryFolder(), temporaryFolder()];
  makeRollouts(newer, size);
  makeRollouts(older, size, true);
  // The server answers while it reads, and is killed in the middle.
  for (let time = 0; time < 2; time++) {
    const running = await startProcess(older);
    expect((await running.control.runs.list()).data).toMatchObject([{ id: madeRun }]);
    await running.kill();
  }
  const [ours, same] = [await shown(older), await shown(newer)];
  expect(ours.pages).toEqual(same.pages);
  expect(same.notices.join(" ")).not.toContain("earlier version");
});

it("prints how much is left, and what is damaged", async () => {
  const pieces = [
    { left: 3, damaged: ["A log is damaged."] },
    { left: 0, damaged: [] },
  ];
  const notices: string[] = [];
  const store = { call: () => Promise.resolve(pieces.shift()) };
  await deriveOlder(store as never, (sentence) => notices.push(sentence), new AbortController().signal);
  expect(notices).toEqual([
    "A log is damaged.",
    expect.stringContaining("an earlier version stored: 3 left"),
    "The console shows all logs and jobs of the earlier version.",
  ]);
});
