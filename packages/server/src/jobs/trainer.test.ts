import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { TrainerLine, TrainerRun } from "./protocol.ts";
import { trainerProgram } from "./trainer.ts";

/** Runs a program, and returns its events with what it wrote to its log. */
async function run(script: string, write?: (line: string) => Promise<void>) {
  const events: TrainerLine[] = [];
  const logged: string[] = [];
  const log: TrainerRun["log"] = { lastLine: "", write: write ?? (async (line) => void logged.push(line)) };
  const trainer = trainerProgram({ command: [process.execPath, "-e", script], graceMs: 100 });
  const error = await (async () => {
    for await (const part of trainer.run({ input: "", signal: new AbortController().signal, log }))
      events.push(...part);
  })().then(
    () => "",
    (reason: unknown) => String(reason),
  );
  return { events, logged, error };
}

const ofSize = (bytes: number) =>
  `JSON.stringify({ type: "a", data: "" }).replace('""', JSON.stringify("x".repeat(${bytes} - 22)))`;

it("accepts a line of 1 MiB on standard output, and fails at once for a byte more", async () => {
  const script = `console.log(${ofSize(2 ** 20)}); process.stdout.write(${ofSize(2 ** 20 + 1)}); setInterval(() => 0, 1000)`;
  const { events, error } = await run(script);
  expect(events.map(({ data }) => JSON.stringify(data).length)).toEqual([2 ** 20 - 20]);
  expect(error).toMatch(/^Error: Line 2 of the trainer's output is longer than 1 MiB: "\{.{79,100}…"\./);
});

it("shows control characters and invalid bytes of a line that is no event, instead of writing them", async () => {
  const script = String.raw`process.stdout.write(Buffer.from("\x1b[2J\x00\u009b\u202e\u2028\ufeff\xff\n", "latin1")); process.stdout.write("\u001b\u009b\u202e\u2028!")`;
  const { error } = await run(script);
  expect(error).toContain(String.raw`"\u001b[2J\u0000`);
  expect(error).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

it("cuts a long line of standard error, and keeps characters that were written byte by byte", async () => {
  const script = `const { writeSync } = require("node:fs");
    for (const byte of Buffer.from("漢🚂\\n")) writeSync(2, Buffer.of(byte));
    process.stderr.write("x".repeat(3 * 2 ** 20) + "\\rlast");`;
  const { logged, error } = await run(script);
  expect(error).toBe("");
  expect(logged).toEqual(["漢🚂", `${"x".repeat(2 ** 16)}… (${3 * 2 ** 20 - 2 ** 16} bytes more)`, "last"]);
});

it("reads standard error no faster than it is written to the log", async () => {
  let release: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  // The program says how much it could write before the log takes its first line.
  const script = `const { writeSync } = require("node:fs");
    let written = 0;
    const say = () => console.log(JSON.stringify({ type: "a", data: written }));
    const more = () => {
      written += 65536;
      if (process.stderr.write("x".repeat(65535) + "\\n") || written > 8e6) return written > 8e6 ? say() : setImmediate(more);
      say();
      process.stderr.once("drain", more);
    };
    more();`;
  const trainer = trainerProgram({ command: [process.execPath, "-e", script], graceMs: 100 });
  const log = { lastLine: "", write: () => slow };
  const events = trainer.run({ input: "", signal: new AbortController().signal, log });
  const written: unknown[] = [];
  for await (const part of events) {
    written.push(...part.map(({ data }) => data));
    if (part.length > 0) release();
  }
  expect(written[0]).toBeLessThan(4e6);
  expect(written.at(-1)).toBeGreaterThan(8e6);
});

/** Whether a process runs. One that has ended and that nobody waits for has no command. */
const runs = (pid: string) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";

it.skipIf(process.platform !== "linux")(
  "ends with a job what its program started in a session or a group of its own, forked twice too",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "trainyard-strays-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = `const { spawn } = require("node:child_process");
      const { statSync } = require("node:fs");
      const start = (detached, ...command) => spawn(command[0], command.slice(1), { detached, stdio: "ignore", cwd: ${JSON.stringify(folder)} });
      start(true, "sh", "-c", "echo $$ > session; exec sleep 600");
      start(false, "bash", "-mc", "sleep 600 & echo $! > group");
      start(true, "sh", "-c", "setsid sh -c 'sleep 600 & echo $! > twice' &");
      setInterval(() => ["session", "group", "twice"].every((file) => statSync(${JSON.stringify(folder)} + "/" + file, { throwIfNoEntry: false })?.size > 1) && process.exit(), 20);`;
    expect(await run(script)).toMatchObject({ error: "" });
    const pids = ["session", "group", "twice"].map((file) => readFileSync(join(folder, file), "utf8").trim());
    expect(pids).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^\d+$/)));
    await vi.waitFor(() => expect(pids.filter(runs)).toEqual([]), 10_000);
  },
);
