/** @module-tag long */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { startMock } from "@trainyard/mock";
import { afterAll, expect, it } from "vitest";

const mock = await startMock();
const folder = mkdtempSync(join(tmpdir(), "trainyard-rollouts-"));
const notes = join(folder, "done.txt");
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

const notedNow = (): string[] => readFileSync(notes, "utf8").trim().split("\n");

/** Runs the program until it ends, or kills it after this number of lines. */
async function run(most = Infinity): Promise<string[]> {
  const program = join(import.meta.dirname, "../programs/rollouts-each.ts");
  const child = spawn(
    process.execPath,
    ["--conditions=@trainyard/source", program],
    {
      env: {
        ...process.env,
        TRAINYARD_TRAINING_URL: mock.connect("training").baseUrl,
        TRAINYARD_API_KEY: "a-key-for-the-mock",
        ROLLOUTS_DONE: notes,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === most) child.kill("SIGKILL");
  }
  expect(await ended).toBe(most === Infinity ? 0 : null);
  return lines;
}

it(
  "logs each group, and continues after it was killed",
  { timeout: 60_000 },
  async () => {
    const service = mock.service("training");
    // The delay is needed so that the program is killed between two logs.
    service.delay(200);
    const first = await run(1);
    const kept = notedNow();
    expect(kept.length).toBeLessThan(6);
    expect(first).toEqual([`logged ${kept[0]}`]);
    const second = await run();
    const stations = ["Bergen", "Finse", "Geilo", "Gol", "Myrdal", "Voss"];
    expect(second.toSorted()).toEqual(
      stations
        .filter((station) => !kept.includes(station))
        .map((station) => `logged ${station}`),
    );
    expect(notedNow().toSorted()).toEqual(stations);
  },
);
