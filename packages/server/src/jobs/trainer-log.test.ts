import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { TrainerLog } from "./trainer-log.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const attempt = { jobId: "j", attempt: 1 };
const most = 40_000;
const open = (file: string, limit = most) =>
  new TrainerLog(file, attempt, { limit, onDropped: () => undefined, onLine: () => undefined });
const lineOf = (number: number) => `line ${String(number).padStart(7, "0")} ü`;
const bytesOfLine = Buffer.byteLength(lineOf(0)) + 1;

it("keeps the beginning and the end of a long log, also of one that another process began", async () => {
  const file = join(newFolder(), "jobs/trainer.log");
  let number = 0;
  for (let time = 0; time < 3; time++) {
    const log = open(file);
    for (let count = 0; count < 5000; count++) await log.write(lineOf(number++));
    await log.end();
    const text = readFileSync(file, "utf8");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    const [, begin = "", missing, end = ""] = /^(.*)\n… \((\d+) bytes are missing here\)\n(.*)\n$/s.exec(text) ?? [];
    expect(Buffer.byteLength(begin) + Number(missing) + Buffer.byteLength(end) + 1).toBe(number * bytesOfLine);
    const first = begin.split("\n").slice(0, -1);
    expect(first).toEqual(first.map((_, at) => lineOf(at)));
    expect(first.length * bytesOfLine).toBeGreaterThan(most / 2 - 2 * bytesOfLine);
    const last = end.split("\n");
    expect(last).toEqual(last.map((_, at) => lineOf(number - last.length + at)));
    expect(last.length * bytesOfLine).toBeGreaterThan(most / 5);
  }
});

it.skipIf(process.platform === "win32")("takes no more lines than the disk does", async () => {
  const file = join(newFolder(), "trainer.log");
  // A pipe that is not read is a slow disk.
  spawnSync("mkfifo", [file]);
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const log = open(file, 10_000_000);
  let taken = 0;
  const writing = (async () => {
    for (; taken < 1000; taken++) await log.write("x".repeat(1000));
    await log.end();
    return true;
  })();
  const nextTurn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  await nextTurn();
  expect(taken).toBeLessThan(500);
  const buffer = Buffer.alloc(2 ** 16);
  while (!(await Promise.race([writing, nextTurn()]))) {
    try {
      readSync(reader, buffer);
    } catch {
      // There is nothing to read now.
    }
  }
  expect(taken).toBe(1000);
});

it("does not fail if the file cannot be written", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "trainer.log"));
  for (const file of [join(folder, "file/below/trainer.log"), join(folder, "trainer.log")]) {
    const log = open(file);
    await log.write("CUDA out of memory");
    await log.write(" ");
    await log.end();
    expect(log.lastLine).toBe("CUDA out of memory");
  }
});
