import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startTiny } from "./tiny-process.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainyard-tiny-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/models`).then(
    ({ ok }) => ok,
    () => false,
  );

it("serves from a process of its own until it is closed", async () => {
  const tiny = await startTiny({ checkpoints: await folder() });
  expect(await isUp(tiny.url)).toBe(true);
  expect(tiny.command.at(-1)).toBe("train");
  await tiny.close();
  expect(await isUp(tiny.url)).toBe(false);
});

it("ends with whoever started it, also where that was killed", async () => {
  const program = `import { startTiny } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)};
    console.log((await startTiny({ checkpoints: ${JSON.stringify(await folder())} })).url);
    setInterval(() => undefined, 1000);`;
  const args = ["--conditions=@trainyard/source", "--input-type=module", "-e", program];
  const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [url = ""] = await new Promise<string[]>((resolve) => {
    createInterface({ input: parent.stdout }).once("line", (line) => resolve([line]));
  });
  expect(await isUp(url)).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitUntil(async () => !(await isUp(url)), { timeout: 20_000, interval: 20 });
});
