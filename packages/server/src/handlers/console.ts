import { open } from "node:fs/promises";
import { sleep } from "@trainyard/core/sleep";
import { refuse, refuseFault, type Call } from "@trainyard/host";
import { consoleReads } from "../console/routes.ts";
import type { Piece } from "../console/scan.ts";
import type { Handlers } from "../http/service-types.ts";
import type { CheckpointFolders } from "../jobs/folders.ts";
import type { CommandName, Input, Result } from "../store/protocol.ts";
import { askRules } from "../store/ask-rules.ts";
import type { Store } from "../store/store.ts";

/** What the handlers of the console need. */
export interface ConsoleParts {
  readonly store: Store;
  /** Returns the cookie that opens the console, for the right code or key. */
  readonly cookieFor: (code: string) => string | undefined;
  readonly folders: CheckpointFolders;
  /** Aborted when the server closes, which ends all waiting requests for changes. */
  readonly closing: AbortSignal;
}

/** The operations of the contract that the pages share with programs. */
type ConsoleOperation = Extract<keyof Handlers<"local">, `runs.${string}`>;

/** Milliseconds between two checks for changes while a request waits for them. */
const lookEvery = 200;

/** The operations of the console: its routes, and what the contract has of runs. */
export function consoleHandlers({
  store,
  cookieFor,
  folders,
  closing,
}: ConsoleParts): Pick<Handlers<"local">, ConsoleOperation> {
  /** Runs a query, and returns its result or a refusal. */
  const ask = async <K extends CommandName>(name: K, input: Input<K>, missing: string = noRun) => {
    const answer = await store.read(name, input);
    if (answer === "not-found") return refuse(404, missing);
    if (answer === "unknown-cursor") return unknownCursor();
    return { status: 200 as const, body: answer as Exclude<Result<K>, string> };
  };
  /** A response with the tag of its data, or 304 if the data have not changed since the caller got that tag. */
  const tagged = async <A extends object>(headers: Headers, id: string | undefined, answer: () => Promise<A>) => {
    const tags = headers.get("if-none-match")?.split(/\s*,\s*/) ?? [];
    const version = store.read("runs.version", { id });
    // One message if there is nothing to compare. The tag is read first: data that are newer than their tag are read
    // again later.
    const early = tags.length === 0 ? answer() : undefined;
    const [tag] = await Promise.all([version, early]);
    const caching = { "Cache-Control": "private, no-cache", ...(tag && { ETag: tag }) };
    if (tag !== undefined && tags.includes(tag)) return { notModified: caching };
    const given = await (early ?? answer());
    return "status" in given ? { ...given, headers: caching } : given;
  };
  /**
   * Sends what a query reads, piece by piece: each is read when the one before was consumed.
   *
   * @param file the end of the file's name
   */
  const download = async <K extends Download>(name: K, query: Input<K>, mediaType: MediaType<K>, file?: string) => {
    const read = (after?: Piece["next"]) => store.read(name, { ...query, ...(after && { after }) });
    const first: Piece | string = await read();
    if (first === "no-words") return refuseFault(422, ["query", "text"], "Write at least one word to look for.");
    if (typeof first === "string") return refuse(404, noRun);
    const stream = streamOf(first, async (after) => {
      const piece: Piece | string = await read(after);
      if (typeof piece === "string") throw new Error("The run was deleted while it was read.");
      return piece;
    });
    const headers = { "Cache-Control": "no-store", ...(file !== undefined && fileNamed(first.name + file)) };
    return { text: stream, mediaType, headers };
  };
  const open = async ({ body }: Call) => {
    const cookie = cookieFor(String(Object(body).code));
    if (cookie !== undefined) return { status: 200, body: { status: "ok" }, headers: { "Set-Cookie": cookie } };
    return refuse(
      403,
      "The code is not valid. Open the address that the server printed when it started, or enter a key that may read the console.",
    );
  };
  const reads = consoleReads(open, {
    "/runs/{run_id}": async ({ headers, path: { run_id: id } }) => tagged(headers, id, () => ask("runs.get", { id })),
    "/runs/{run_id}/curve": async ({ headers, path: { run_id: id }, query }) =>
      tagged(headers, id, () => ask("runs.curve", { split: "train", ...query, id })),
    "/runs/{run_id}/curve.csv": ({ path: { run_id: id }, query }) =>
      download("runs.exportCurve", { split: "train", ...query, id }, "text/csv", `-${query.split ?? "train"}.csv`),
    "/runs/{run_id}/keys": async ({ headers, path: { run_id: id } }) =>
      tagged(headers, id, () => ask("runs.keys", { id })),
    "/runs/{run_id}/groups": async ({ headers, path: { run_id: id }, query }) =>
      tagged(headers, id, () => ask("groups.list", { sort: "place", limit: 50, ...query, id })),
    "/runs/{run_id}/groups/{group_id}": async ({ headers, path: { run_id: id, group_id: groupId } }) =>
      tagged(headers, id, () => ask("groups.get", { id, groupId }, "The run does not have this group.")),
    "/runs/{run_id}/tasks": async ({ headers, path: { run_id: id }, query }) =>
      tagged(headers, id, () => ask("tasks.list", { sort: "change", limit: 50, ...query, id })),
    "/runs/{run_id}/tasks/{task}": async ({ headers, path: { run_id: id, task }, query }) =>
      tagged(headers, id, () => ask("tasks.get", { ...query, id, task }, noTask)),
    "/compare": async ({ owner, headers, query }) =>
      tagged(headers, undefined, async () => {
        const body = await store.read("compare.get", { ...query, ...entityOf(owner) });
        return { status: 200 as const, body };
      }),
    "/runs/{run_id}/rollouts": async ({ headers, path: { run_id: id }, query }) =>
      tagged(headers, id, () => ask("rollouts.list", { sort: "-step", limit: 50, ...query, id })),
    "/runs/{run_id}/rollouts/search": ({ path: { run_id: id }, query }) =>
      download("rollouts.search", { ...query, id }, "application/jsonl"),
    "/runs/{run_id}/jobs": async ({ headers, path: { run_id: id }, query }) =>
      tagged(headers, id, () => ask("jobs.list", { limit: 20, ...query, id })),
    "/runs/{run_id}/jobs/{job_id}/events": async ({ headers, path: { run_id: id, job_id: jobId }, query }) =>
      tagged(headers, id, () => ask("jobs.events", { limit: 20, ...query, id, jobId }, noJob)),
    "/runs/{run_id}/jobs/{job_id}/log": async ({ path }) => {
      const found = await store.read("jobs.countAttempts", { id: path.run_id, jobId: path.job_id });
      if (found === "not-found") return refuse(404, noJob);
      const { attempts: attempt } = found;
      const file = folders.logOf({ jobId: path.job_id, attempt }, path.run_id);
      return { status: 200, body: { attempt, ...(await lastLines(file)) } };
    },
    "/changes": async ({ owner, query: { after = 0, wait_ms: wait = 0 }, signal }) => {
      const begin = performance.now();
      for (;;) {
        const body = await store.read("runs.changes", { after, ...entityOf(owner) });
        const isOver = performance.now() - begin >= wait || signal.aborted || closing.aborted;
        if (isOver || body.runs.length > 0) return { status: 200, body };
        await sleep(lookEvery, closing, "runs.changes").catch(() => undefined);
      }
    },
  });
  const contract: Pick<Handlers<"local">, ConsoleOperation> = {
    "runs.list": async ({ owner, headers, query }) =>
      tagged(headers, undefined, async () => {
        await askRules(store);
        const runs = await store.read("runs.list", { sort: "-created", limit: 20, ...query, ...entityOf(owner) });
        return runs === "unknown-cursor" ? unknownCursor() : { status: 200 as const, body: runs };
      }),
    "runs.marks": async ({ headers, path: { run_id: id } }) =>
      tagged(headers, id, async () => {
        await askRules(store);
        return ask("runs.marks", { id });
      }),
    "runs.rollouts.export": ({ path: { run_id: id }, query }) =>
      download("rollouts.export", { ...query, id }, "application/jsonl", "-rollouts.jsonl"),
  };
  return { ...reads, ...contract };
}

export const noRun = "This run does not exist. It may have been deleted.";
/** Whose runs a key reads: all with one of `*`. */
const entityOf = (owner: string) => (owner === "*" ? {} : { entity: owner });
const noTask = "The split of this run does not have this task.";
const noJob = "The run does not have this job.";
const unknownCursor = () => refuseFault(422, ["query", "after"], "This is not the id of an item of this list.");

/**
 * The header that names a download. Characters outside of a plain name are left out: headers are ASCII, and a file name
 * is not a path.
 */
function fileNamed(name: string): Record<string, string> {
  return { "Content-Disposition": `attachment; filename="${name.replaceAll(/[^\w.-]+/g, "-")}"` };
}

/** The operations that send a text of any length. */
type Download = "runs.exportCurve" | "rollouts.export" | "rollouts.search";
type MediaType<K extends Download> = K extends "runs.exportCurve" ? "text/csv" : "application/jsonl";

function streamOf(first: Piece, read: (after: Piece["next"]) => Promise<Piece>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let piece: Piece | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      // Skip a piece that the filter leaves empty.
      for (let isSent = false; piece !== undefined && !isSent;) {
        const { text, next }: Piece = piece;
        if ((isSent = text !== "")) controller.enqueue(encoder.encode(text));
        piece = next && (await read(next));
      }
      if (piece === undefined) controller.close();
    },
  });
}

/** How much of the end of a trainer's log is read, in bytes, and how many of its lines are shown. */
const [readBytes, most] = [512 * 1024, 200];

async function lastLines(path: string): Promise<{ lines: string[]; cut: boolean }> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return { lines: [], cut: false };
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - readBytes);
    const buffer = new Uint8Array(size - start);
    await file.read(buffer, 0, buffer.length, start);
    const lines = new TextDecoder().decode(buffer).split(/\r?\n|\r/);
    // Drop the first line if the reading started in the middle of it, and the empty text behind the last newline.
    if (start > 0) lines.shift();
    if (lines.at(-1) === "") lines.pop();
    return { lines: lines.slice(-most), cut: start > 0 || lines.length > most };
  } finally {
    await file.close();
  }
}
