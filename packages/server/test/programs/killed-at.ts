// For tests: loaded into the main thread of a server and the one of its store. The file `KILL_AT` names a point of their work, and how often it
// is passed before; there, the process is killed. `.met` beside it says that it was.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";
import threads, { isMainThread, threadName, Worker, type WorkerOptions } from "node:worker_threads";

const file = process.env["KILL_AT"] ?? "";
let passed = 0;

function pass(point: string): void {
  if (!existsSync(file)) return;
  const [at, before] = readFileSync(file, "utf8").split("\n");
  if (at !== point || passed++ < Number(before)) return;
  writeFileSync(`${file}.met`, "");
  process.kill(process.pid, "SIGKILL");
}

if (file !== "" && isMainThread) {
  threads.Worker = class extends Worker {
    constructor(module: string | URL, options: WorkerOptions = {}) {
      super(module, { ...options, execArgv: [...(options.execArgv ?? []), "--import", import.meta.url] });
    }
  };
  const { rename } = files;
  files.rename = async (from, to) => {
    const isStep = /step\d+$/.test(String(to));
    if (isStep) pass("before a checkpoint is in its place");
    await rename(from, to);
    if (isStep) pass("after a checkpoint is in its place");
  };
} else if (file !== "" && threadName === "store") {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === "commit") pass("before a commit");
    Reflect.apply(exec, this, [sql]);
    if (sql === "commit") pass("after a commit");
    if (/^\s*(alter|create) /.test(sql)) pass("within a migration");
  };
}
syncBuiltinESMExports();
