// A trainer that runs a script: `metadata.script` of the first group is a list of [action, …arguments]. Plain
// JavaScript, because it starts in half the time.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const job = JSON.parse(readFileSync(0, "utf8"));
const actions = {
  /** Writes a line unchanged. */
  out: (line) => process.stdout.write(`${line}\n`),
  /** Writes a line of so many characters. */
  long: (length) => process.stdout.write(`${"x".repeat(length)}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  /** Fills standard output (1) or standard error (2) with so many MiB of a text, each at once. */
  flood: (stream, mebibytes, text) => {
    const bytes = Buffer.alloc(2 ** 20, text);
    for (let count = 0; count < mebibytes; count++) {
      for (let at = 0; at < bytes.length;) {
        try {
          at += writeSync(stream, bytes, at);
        } catch (error) {
          if (error.code !== "EAGAIN") throw error;
          // The reader is slower.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
        }
      }
    }
  },
  /** Ignores SIGTERM. */
  deaf: () => process.on("SIGTERM", () => undefined),
  stay: () => setInterval(() => undefined, 1000),
  start: (data = { num_sequences: 1 }) => actions.say("training_started", data),
  end: (data = {}) => actions.say("training_ended", data),
  say: (type, data) => actions.out(JSON.stringify({ type, data })),
  /** Ends with a description of where it runs. */
  tell: () => actions.end({ cwd: process.cwd(), args: process.argv.slice(2), keys: Object.keys(process.env), job }),
  write: (name, text) => writeFileSync(join(job.output.directory, name), text),
  folder: (name) => mkdirSync(join(job.output.directory, name)),
  link: (name, target) => symlinkSync(target, join(job.output.directory, name)),
  pipe: (name) => spawnSync("mkfifo", [join(job.output.directory, name)]),
  /** Writes an event nested so many levels deep. */
  nest: (levels) => actions.out(`{"type":"gradient_step","data":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`),
  exit: (code) => process.exit(code),
  signal: (name) => process.kill(process.pid, name),
  /** Starts a program that inherits its output and survives it; with `loud`, that writes to the output afterwards. */
  leave: (loud) => {
    const text = `setInterval(() => ${loud} && process.ppid !== ${process.pid} && console.log("still here"), 5)`;
    spawn(process.execPath, ["-e", text], { stdio: "inherit" }).unref();
  },
};

for (const [action, ...args] of JSON.parse(job.trajectory_groups[0].metadata.script)) actions[action](...args);
