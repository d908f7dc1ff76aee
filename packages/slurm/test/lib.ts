// Shared by the tests of a cluster.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type ServerOptions, type TrainerLogLine } from "@trainyard/server";
import {
  createTrainingClient,
  type TrainingClient,
  type TrainingJob,
  type TrainingJobEvent,
} from "@trainyard/training";
import { expect, onTestFinished } from "vitest";

/**
 * A new, empty folder.
 *
 * @param after when to delete it. Default: after the test; outside of tests, pass `afterAll`
 */
export function temporaryFolder(after: (clean: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-test-"));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A server in this process, its clients, and what its trainers logged. */
export interface TestServer {
  readonly training: TrainingClient;
  /** The lines that the last attempt at a job wrote. */
  trainerLog(run: string, job: string): Promise<readonly string[]>;
  readonly checkpoints: string;
  readonly log: readonly TrainerLogLine[];
}

/** Starts a server for a test. At the end, it must have no internal error, and no response that violates its document. */
export function startServer(trainer: ServerOptions["trainer"] & object): TestServer {
  const [checkpoints, log, errors] = [temporaryFolder(), [] as TrainerLogLine[], [] as unknown[]];
  const server = createServer({
    data: temporaryFolder(),
    checkpoints,
    trainer,
    checkAnswers: true,
    trainerLog: (line) => log.push(line),
    report: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await server.close();
    expect([...server.violations(), ...errors]).toEqual([]);
  });
  const training = createTrainingClient({ ...server.connect("training"), maxRetries: 0 });
  const { baseUrl, apiKey, fetch } = server.connect("local");
  const trainerLog = async (run: string, job: string) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl}/runs/${run}/jobs/${job}/log`, { headers });
    return ((await response.json()) as { lines: string[] }).lines;
  };
  return { training, trainerLog, checkpoints, log };
}

const root = join(import.meta.dirname, "../../..");

/** A server in a process of its own. */
export interface OwnServer {
  readonly training: TrainingClient;
  /** Sends a signal, and resolves when it has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Resolves to what its output has at a place. */
  find(pattern: RegExp): Promise<string>;
}

/**
 * Starts `trainyard serve` in the root of the repository.
 *
 * @param args in the notation of a shell
 */
export async function serve(data: string, args: string, env: Record<string, string> = {}): Promise<OwnServer> {
  const command = [process.execPath, "--conditions=@trainyard/source", "packages/trainyard/src/cli.ts"];
  const child = spawn("sh", ["-c", `exec "$@" serve --port 0 --data ${data} ${args}`, "sh", ...command], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  const gone = once(child, "exit");
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await gone;
  };
  onTestFinished(() => end("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (printed += text));
  const find = (pattern: RegExp) => until(async () => pattern.exec(printed)?.[1]);
  const baseUrl = await find(/^training +(\S+)$/m);
  const [{ key: apiKey }] = JSON.parse(readFileSync(join(data, "keys.json"), "utf8"));
  return { training: createTrainingClient({ baseUrl, apiKey, maxRetries: 0 }), end, find };
}

/** Waits until a condition holds, for as long as Slurm may take. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 180_000; Date.now() < end;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("It did not come to hold within three minutes.");
}

export function newModel(training: TrainingClient) {
  return training.models.create({ project: "support-desk", name: crypto.randomUUID(), base_model: "demo/tiny" });
}

/** A group that says what `programs/cluster-trainer.ts` does. */
export function groupsOf(metadata: Record<string, string>) {
  return [{ trajectories: [{ reward: 1 }], metadata }];
}

/** Waits for the end of a job. */
export function ended(training: TrainingClient, id: string): Promise<TrainingJob> {
  return until(async () => {
    const job = await training.trainingJobs.get(id);
    return (job.status === "completed" || job.status === "failed") && job;
  });
}

export async function eventsOf(training: TrainingClient, id: string): Promise<TrainingJobEvent[]> {
  const events: TrainingJobEvent[] = [];
  for await (const event of training.trainingJobs.events.list(id, { limit: 100 })) events.push(event);
  return events;
}
