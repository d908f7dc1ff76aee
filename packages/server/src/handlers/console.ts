import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { refuse, refuseFault } from "@trainyard/host";
import type { Console } from "../console/in-memory-console.ts";
import type { QuestionAnswer, QuestionInput, QuestionName } from "../console/console-index.ts";
import type { Handlers } from "../http/service-types.ts";
import type { CheckpointFolders } from "../jobs/folders.ts";

/** What the console's operations work with. */
export interface ConsoleParts {
  readonly console: Console;
  /** What sets the cookie that opens the console, for the right code. */
  readonly cookieFor: (code: string) => string | undefined;
  readonly folders: CheckpointFolders;
  /** Ends when the server closes: then nobody waits for changes any more. */
  readonly closing: AbortSignal;
}

type ConsoleOperation = Extract<keyof Handlers<"local">, `runs.${string}` | `console.${string}`>;

/** How often what changed is looked at while somebody waits, in milliseconds. */
const lookEvery = 200;

/** The operations of the console. */
export function consoleHandlers({
  console,
  cookieFor,
  folders,
  closing,
}: ConsoleParts): Pick<Handlers<"local">, ConsoleOperation> {
  /** What a question gives, or how it is refused. */
  const ask = async <K extends QuestionName>(name: K, input: QuestionInput<K>, missing: string = noRun) => {
    const answer = await console.ask(name, input);
    if (answer === "not-found") return refuse(404, missing);
    return { status: 200 as const, body: answer as Exclude<QuestionAnswer<K>, string> };
  };
  /** The same for a list, whose cursor may be none of its ids. */
  const page = async <K extends QuestionName>(name: K, input: QuestionInput<K>, missing: string = noRun) => {
    const answer = await console.ask(name, input);
    if (answer === "not-found") return refuse(404, missing);
    if (answer === "unknown-cursor") return refuseFault(422, ["query", "after"], "The cursor is no id of this list.");
    return { status: 200 as const, body: answer as Exclude<QuestionAnswer<K>, string> };
  };
  return {
    "console.open": async ({ body: { code } }) => {
      const cookie = cookieFor(code);
      if (cookie !== undefined) return { status: 200, body: { status: "ok" }, headers: { "Set-Cookie": cookie } };
      return refuse(403, "The code is not valid. Open the address that the server printed when it started.");
    },
    "runs.list": async ({ query: { limit = 20, ...query } }) => {
      const runs = await console.ask("runs.list", { ...query, limit });
      if (runs === "unknown-cursor") return refuseFault(422, ["query", "after"], "The cursor is no id of this list.");
      return { status: 200, body: runs };
    },
    "runs.get": async ({ path }) => ask("runs.get", { id: path.run_id }),
    "runs.curve": async ({ path, query: { split = "train", ...query } }) =>
      ask("runs.curve", { id: path.run_id, split, ...query }),
    "runs.findings": async ({ path, query }) => ask("runs.findings", { id: path.run_id, ...query }),
    "runs.groups.list": async ({ path, query }) =>
      page("groups.list", {
        id: path.run_id,
        ...query,
        sort: query.sort ?? "place",
        limit: query.limit ?? 50,
      }),
    "runs.groups.get": async ({ path }) =>
      ask("groups.get", { id: path.run_id, groupId: path.group_id }, "The run has no such group."),
    "runs.rollouts.list": async ({ path, query }) =>
      page("rollouts.list", {
        id: path.run_id,
        ...query,
        sort: query.sort ?? "-step",
        limit: query.limit ?? 50,
      }),
    "runs.jobs.list": async ({ path, query: { limit = 20, ...query } }) =>
      page("jobs.list", { id: path.run_id, ...query, limit }),
    "runs.jobs.events": async ({ path, query: { limit = 20, ...query } }) =>
      page("jobs.events", { id: path.run_id, jobId: path.job_id, ...query, limit }, noJob),
    "runs.jobs.log": async ({ path, query: { attempt, lines = 200 } }) => {
      const found = await console.ask("jobs.attempts", { id: path.run_id, jobId: path.job_id });
      if (found === "not-found") return refuse(404, noJob);
      const which = Math.min(attempt ?? found.attempts, found.attempts);
      const file = folders.logOf({ jobId: path.job_id, attempt: which }, path.run_id);
      return { status: 200, body: { attempt: which, ...(await lastLines(file, lines)) } };
    },
    "runs.changes": async ({ query: { after = 0, wait_ms: wait = 0 }, signal }) => {
      const end = performance.now() + wait;
      for (;;) {
        const body = await console.ask("changes", { after });
        const isOver = performance.now() >= end || signal.aborted || closing.aborted;
        if (isOver || body.runs.length > 0) return { status: 200, body };
        await sleep(lookEvery, undefined, { signal: closing }).catch(() => undefined);
      }
    },
  };
}

const noRun = "There is no such run: it was deleted, or never was.";
const noJob = "The run has no such job.";

/** How much of the end of a trainer's log is read, in bytes. */
const readBytes = 512 * 1024;

async function lastLines(path: string, most: number): Promise<{ lines: string[]; cut: boolean }> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return { lines: [], cut: false };
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - readBytes);
    const buffer = new Uint8Array(size - start);
    await file.read(buffer, 0, buffer.length, start);
    const lines = new TextDecoder().decode(buffer).split(/\r?\n|\r/);
    // What begins in the middle is no line, and behind the last line's end there is none.
    if (start > 0) lines.shift();
    if (lines.at(-1) === "") lines.pop();
    return { lines: lines.slice(-most), cut: start > 0 || lines.length > most };
  } finally {
    await file.close();
  }
}
