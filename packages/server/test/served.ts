// `trainyard serve` in a process of its own, and what must work on it after each fault.
import { fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { createLocalClient } from "@trainyard/local";
import { createTrainingClient } from "@trainyard/training";
import { expect, onTestFinished } from "vitest";
import { until } from "./lib.ts";

export const apiKey = "key-of-harbor";

/** A line of the log. */
export type LogLine = Record<string, unknown> & { readonly message: string };

export interface Served extends Awaited<ReturnType<typeof serve>> {}

/** A trainer for the command line. */
export const trainerArgs = ["--trainer", `/bin/sh '${join(import.meta.dirname, "programs/quick-trainer.sh")}'`];

/** Starts it on a data folder. It fails if a line of the log is not JSON. */
export async function serve(data: string, args: readonly string[] = trainerArgs, env: Record<string, string> = {}) {
  const keys = join(data, "keys.json");
  if (!existsSync(keys)) {
    mkdirSync(data, { recursive: true });
    writeFileSync(keys, JSON.stringify([{ key: apiKey, entity: "harbor" }]), { mode: 0o600 });
  }
  const program = join(import.meta.dirname, "programs/serve-command.ts");
  const child = fork(program, ["--port", "0", "--data", data, "--log", "json", "--console", ...args], {
    execArgv: ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, TRAINYARD_LOG: "", ...env },
  });
  const log: LogLine[] = [];
  if (child.stderr === null || child.stdout === null) throw new Error("It has no output.");
  createInterface({ input: child.stderr }).on("line", (line) => log.push(JSON.parse(line)));
  let exitCode: number | string | undefined;
  const gone = once(child, "close").then(([code, signal]) => (exitCode = code ?? signal));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return gone;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  let url = "";
  createInterface({ input: child.stdout }).on("line", (line) => (url ||= /^training +(\S+)/.exec(line)?.[1] ?? ""));
  await until(async () => url !== "" || exitCode !== undefined);
  const read = (file: string) => (existsSync(join(data, file)) ? readFileSync(join(data, file), "utf8") : "");
  const controlKey = read("control.key").trim();
  const control = { authorization: `Bearer ${controlKey}` };
  const own = { baseUrl: url || "http://none.invalid", apiKey, maxRetries: 0 };
  return {
    url,
    log,
    pid: child.pid ?? 0,
    gone,
    exitCode: () => exitCode,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    /** Makes a thread end by an error. */
    endThread: (name: string) => child.send({ end: name }),
    /** Lets a thread hang: it does nothing any more, and does not end. */
    hangThread: (name: string) => child.send({ hang: name }),
    training: createTrainingClient(own),
    inference: createInferenceClient({ ...own, baseUrl: `${own.baseUrl}/inference/v1` }),
    auxiliary: createAuxiliaryClient({ ...own, baseUrl: `${own.baseUrl}/auxiliary` }),
    local: createLocalClient({ baseUrl: `${own.baseUrl}/_local`, controlKey: controlKey || "none", maxRetries: 0 }),
    /** The control interface, for what the pages read. */
    pages: { baseUrl: `${own.baseUrl}/_local`, apiKey: controlKey, fetch },
    /** The status of a GET, with the control key. */
    status: async (path: string) => (await fetch(`${url}${path}`, { headers: control })).status,
    text: async (path: string) => (await fetch(`${url}${path}`, { headers: control })).text(),
    notices: (pattern: RegExp) => log.filter(({ message }) => pattern.test(message)),
    requests: () => log.filter(({ status }) => status !== undefined),
  };
}

const base = "demo/tiny";
export const messages = [{ role: "user" as const, content: "Is the train late?" }];
const created_at = "2026-11-04T00:00:00Z";
const window = { start: created_at, end: "2026-11-04T00:05:00Z" };

/** Calls everything of the server once, each of which must answer 200. */
async function callAll({ training, inference, auxiliary, local, status, url }: Served, isTrained: boolean) {
  const name = randomUUID();
  await training.health.check();
  await training.health.systemCheck();
  const model = await training.models.create({ project: "p", name, base_model: base });
  expect((await training.models.checkpoints.list(model.id)).data).toHaveLength(1);
  await training.models.log(model.id, { split: name, trajectory_groups: [{ trajectories: [{ reward: 1 }] }] });
  expect((await local.logs.list({ model_id: model.id })).data.map(({ split }) => split)).toEqual([name]);
  const ask = { model: base, messages, max_tokens: 4 };
  expect((await inference.chat.completions.create(ask)).choices).toHaveLength(1);
  const stream = await inference.chat.completions.create({ ...ask, stream: true });
  expect((await stream.final()).choices).toHaveLength(1);
  const group = { trajectories: [{ reward: 1 }] };
  const { id } = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [group] });
  const job = await until(async () => {
    const found = await training.trainingJobs.get(id);
    return found.training_end !== null && found;
  });
  expect(job.status).toBe(isTrained ? "completed" : "failed");
  const events = (await training.trainingJobs.events.list(id)).data.map(({ type }) => type);
  expect(events).toEqual(isTrained ? ["training_started", "training_ended"] : ["training_failed"]);
  const project_id = `harbor/${name}`;
  const bring = async (kind: "feedback" | "objects", record: object) => {
    const task = randomUUID();
    await local.imports.begin({ id: task, kind });
    await local.imports.add({ id: task, kind, from: 0, lines: [JSON.stringify(record)] });
    await local.imports.finish({ id: task });
  };
  await bring("feedback", { id: "f", project_id, created_at, feedback_type: "x", payload: { score: 1 } });
  const stats = await auxiliary.feedback.stats({ project_id, ...window, metrics: [{ json_path: "score" }] });
  expect(stats.buckets[0]?.count).toBe(1);
  await bring("objects", { project_id, object_id: "prompt", val: { a: 1 } });
  expect((await auxiliary.objects.read({ project_id, object_id: "prompt", digest: "latest" })).obj.val).toEqual({
    a: 1,
  });
  const built = existsSync(join(import.meta.dirname, "../dist/pages/index.html"));
  const pages = ["/_local/runs", "/_local/metrics", `/_local/runs/${model.id}/curve`, ...(built ? ["/console/"] : [])];
  for (const path of pages) expect([path, await status(path)]).toEqual([path, 200]);
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);
}

/** Everything answers 200 again, and nothing answered 500 since the start. The aim is five seconds after the fault's end. */
export async function expectAll(served: Served, { isTrained = true }: { isTrained?: boolean } = {}): Promise<void> {
  const start = performance.now();
  let failure: unknown;
  const isWell = async () =>
    callAll(served, isTrained).then(
      () => true,
      (error: unknown) => ((failure = error), false),
    );
  await until(isWell).catch((error: unknown) => Promise.reject(failure ?? error));
  console.log(`Everything answered after ${Math.round(performance.now() - start)} ms.`);
  expect(served.requests().filter(({ status }) => status === 500)).toEqual([]);
}

/** A new model of any name. */
export const newModel = (served: Served) =>
  served.training.models.create({ project: "p", name: randomBytes(8).toString("hex"), base_model: "demo/tiny" });
/** A log of so many random bytes. */
export const logOf = (bytes: number) => ({
  split: "val",
  trajectory_groups: [{ trajectories: [{ reward: 1, logs: [randomBytes(bytes).toString("base64")] }] }],
});
/** The status of a call. */
export const statusOf = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => Object(error).status,
  );
