import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Connection } from "../src/index.ts";
import { createTrainingClient, type TrainingClient } from "@trainyard/training";
import { createLocalClient, type LocalClient } from "@trainyard/local";

/** A server in its own process, which a test may kill. */
export interface OwnProcess {
  readonly pid: number;
  readonly training: TrainingClient;
  readonly control: LocalClient;
  /** The control interface, for what the pages read. */
  readonly pages: Connection;
  /** The address of the training service. */
  readonly url: string;
  /** A key of the entity `crash`. */
  readonly apiKey: string;
  readonly controlKey: string;
  /** Resolves when it has exited. */
  readonly gone: Promise<void>;
  /** Kills it with SIGKILL, and resolves when it has exited. */
  kill(): Promise<void>;
  /** Asks it to exit, and resolves when it has exited. */
  stop(): Promise<void>;
}

/**
 * Starts a server on a data folder, by default with a trainer that learns nothing.
 *
 * @param env additional variables; `TRAINER: "resume"` lets trainers resume, `KILL_AT` is read by `programs/killed-at.ts`
 */
export async function startProcess(
  data: string,
  trainer: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<OwnProcess> {
  const program = join(import.meta.dirname, "programs/serve.ts");
  const args = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning", program, data, ...trainer];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const gone = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return gone;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, control } = JSON.parse(line);
    const apiKey = "key-of-crash";
    return {
      pid: child.pid ?? 0,
      url,
      apiKey,
      controlKey: control,
      training: createTrainingClient({ baseUrl: url, apiKey, maxRetries: 0 }),
      pages: { baseUrl: `${url}/_local`, apiKey: control, fetch },
      control: createLocalClient({ baseUrl: `${url}/_local`, controlKey: control, maxRetries: 0 }),
      gone,
      kill: () => end("SIGKILL"),
      stop: () => end("SIGTERM"),
    };
  }
  throw new Error("The server did not start.");
}

/** The memory of the server process, in MiB. */
export async function memoryOf({ url, controlKey }: OwnProcess): Promise<number> {
  const response = await fetch(`${url}/_local/metrics`, { headers: { Authorization: `Bearer ${controlKey}` } });
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(await response.text())?.[1]) / 2 ** 20;
}
