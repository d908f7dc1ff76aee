import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The state of a job, as Slurm reports it. */
export interface SlurmState {
  /** `PENDING`, `RUNNING`, `NODE_FAIL` … */
  readonly state: string;
  /** Why it waits, or why it ended; undefined if Slurm reports `None`. */
  readonly reason: string | undefined;
  readonly nodes: string | undefined;
  /** Its exit code, and the signal that ended it; 0 for none. */
  readonly code: number;
  readonly signal: number;
  readonly hasEnded: boolean;
}

/** Slurm does not respond. A retry may succeed. */
export class SlurmAway extends Error {}

const away =
  /Unable to contact slurm|connect failure|Connection refused|Socket timed out|Zero Bytes were transmitted|temporarily/i;
const unknown = /Invalid job id/i;
const over = /Invalid job id|already (complet|finish)/i;
const ends = /^(BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|REVOKED|TIMEOUT)$/;

/**
 * Submits a script with its arguments, and returns the id of its job.
 *
 * @throws SlurmAway if Slurm may not have been reached, or Error with Slurm's message if it rejects the job
 */
export async function submit(options: readonly string[], script: readonly string[]): Promise<string> {
  // With several clusters, the name of one follows the id.
  const [id = ""] = (await ask("sbatch", [...options, "--parsable", ...script])).trim().split(";");
  return id;
}

/** The jobs of a name, oldest first. Slurm forgets jobs some time after their end. */
export async function jobsOfName(name: string): Promise<string[]> {
  const ids = await ask("squeue", ["--noheader", "--states=all", `--name=${name}`, "--format=%A"]);
  return (ids.match(/\d+/g) ?? []).toSorted((one, other) => Number(one) - Number(other));
}

/** The state of a job; undefined if Slurm no longer knows it. */
export async function stateOf(id: string): Promise<SlurmState | undefined> {
  const shown = await ask("scontrol", ["show", "job", "--oneliner", id], unknown);
  if (shown === "") return undefined;
  const field = (name: string) => {
    const word = new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(shown)?.[1];
    return word === "None" || word === "(null)" ? undefined : word;
  };
  const [code = 0, signal = 0] = (field("ExitCode") ?? "").split(":").map(Number);
  const state = field("JobState") ?? "";
  return { state, reason: field("Reason"), nodes: field("NodeList"), code, signal, hasEnded: ends.test(state) };
}

/** Cancels a job. One that has ended is not changed. */
export async function cancel(id: string): Promise<void> {
  await ask("scancel", [id], over);
}

/** @param harmless a complaint after which the output is empty, instead of an error */
async function ask(program: string, args: readonly string[], harmless?: RegExp): Promise<string> {
  // In a process group of its own: a signal that ends the trainer must not interrupt a request to Slurm.
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const ended = once(child, "close").catch((cause: unknown) => {
    const cure = "Is Slurm installed on the machine of the server?";
    throw new Error(`${program} could not be started: ${String(cause)}. ${cure}`, { cause });
  });
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return output;
  const message = complaint.trim().replaceAll(/\s*\n\s*/g, " ");
  if (away.test(message)) throw new SlurmAway(message);
  if (harmless?.test(message)) return "";
  throw new Error(message || `${program} ended with ${code ?? "a signal"}.`);
}
