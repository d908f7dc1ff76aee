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

/** Runs the program until it ends, or is killed once it has printed so many lines. */
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
  "logs as it goes, is killed, and goes on where it was",
  { timeout: 60_000 },
  async () => {
    const service = mock.service("training");
    // The third log gets no answer before the program is killed.
    for (const delayMs of [0, 0, 600_000]) service.once("models.log", { delayMs });
    const first = await run(2);
    expect(first).toHaveLength(2);
    // Where the program was killed before it sent the third.
    service.reset();
    // The second time, a station turns out to be logged already.
    service.once("models.log", { status: 409 });
    const second = await run();
    const stations = ["Bergen", "Finse", "Geilo", "Gol", "Myrdal", "Voss"];
    expect([...first, ...second].toSorted()).toEqual(
      stations.map((station) => `logged ${station}`),
    );
    expect(readFileSync(notes, "utf8").trim().split("\n").toSorted()).toEqual(
      stations,
    );
  },
);
