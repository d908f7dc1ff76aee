import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Calls, type Kind, kinds, type Target, values } from "./calls.ts";
import { apiKey, type Stage, startFaultServer } from "./fault-server.ts";
import { counting, fastClock } from "./fast-clock.ts";
import { applies, type Fault, faults as allFaults, stalls } from "./faults.ts";

/** How many are played concurrently: most of them only wait. */
const width = 200;

/** The limit of a call, in milliseconds of the client's clock. Long if it must not decide anything. */
const limits = { stalls: 20_000, else: 300_000 };

/** Options of a run. */
export interface RunOptions {
  /** The faults to play. Default: all. */
  readonly faults?: readonly Fault[];
  /** Milliseconds of the client's clock after which an unfinished call counts as hanging. Default 600,000: ten minutes. */
  readonly guardMs?: number;
}

/** One cell: a fault, a kind of call, and the outcome. */
export interface Cell {
  readonly fault: Fault;
  readonly kind: Kind;
  /** How many times the failing request was sent, without redirects, what the call came to, and what went wrong. */
  readonly outcome: string;
}

/** Plays the faults against a client. Every cell ends. */
export async function run(calls: Calls, options: RunOptions = {}): Promise<Cell[]> {
  const { faults = allFaults, guardMs = 600_000 } = options;
  const server = await startFaultServer();
  const restore = fastClock();
  try {
    const open = faults.flatMap((fault) =>
      kinds.filter((kind) => applies(fault, kind)).map((kind) => ({ fault, kind })),
    );
    const cells: Cell[] = [];
    // First the first row, one by one, because loading modules at the first call takes longer than a client's limit here.
    // Then the slow ones.
    const first = open.splice(0, kinds.length);
    const rest = open.toSorted((a, b) => Number(stalls(b.fault)) - Number(stalls(a.fault)));
    const work = async (queue: typeof open): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const stage = await server.stage(next.fault, next.kind);
        cells.push({ ...next, outcome: await play(calls, server.nowhere, stage, guardMs) });
      }
    };
    await work(first);
    await Promise.all(Array.from({ length: width }, () => work(rest)));
    return cells;
  } finally {
    restore();
    await server.close();
  }
}

async function play(calls: Calls, nowhere: string, stage: Stage, guardMs: number): Promise<string> {
  const { fault, kind, pauses, sockets } = stage;
  const controller = new AbortController();
  let pieces = 0;
  const target: Target = {
    baseUrl: stage.baseUrl,
    apiKey,
    timeoutMs: stalls(fault) ? limits.stalls : limits.else,
    signal: controller.signal,
    seen: () => {
      if (++pieces === fault.stopAfter) controller.abort();
    },
    fetch: async (input, init) => {
      // Without a server, requests cannot be counted.
      if (fault.play || !stage.meets()) return fetch(input, init);
      return fetch(nowhere, init);
    },
  };

  let hang: (result: Result) => void = () => {};
  const hung = new Promise<Result>((done) => (hang = done));
  const guard = setTimeout(() => hang({ result: "hangs" }), guardMs);
  const ended = await Promise.race([
    counting(stage.waits, async () => {
      if (fault.isReused) await (await fetch(`${stage.baseUrl}/`)).text();
      return calls[kind](target);
    }).then(
      (value): Result => ({ result: value === values[kind] ? "value" : "wrong value" }),
      (error: unknown) => resultOf(error, fault),
    ),
    hung,
  ]);
  clearTimeout(guard);

  const left = ended.result === "hangs" ? [] : await leftovers(stage, controller.signal);
  controller.abort();
  for (const socket of sockets) socket.destroy();

  const { retryAfterMs: waitMs = 0, slack = 0, stopAfter = pieces } = fault;
  const isWait = waitMs > 0 && Math.abs((ended.retryAfterMs ?? Infinity) - waitMs) <= slack;
  const notes = [
    isWait && `wait ${String(waitMs / 1000).replace("+", "")} s`,
    pauses.some((ms, index) => index > 0 && ms < waitMs - slack) && "sent too soon",
    ended.wordsLost && "words lost",
    ended.keyShown && "key shown",
    pieces > stopAfter && `${pieces - stopAfter} more`,
    stage.keySeen && "key leaked",
    fault.isReused && stage.isFresh && "new connection",
    ...left,
  ].filter((note) => typeof note === "string");
  return [`${pauses.length} ${ended.result}${ended.outcomeUnknown ? " ?" : ""}`, ...notes].join(", ");
}

/** What a call left open. Connections close a moment later, and a client may need a second for the last bytes of a stream. */
async function leftovers({ sockets }: Stage, signal: AbortSignal): Promise<string[]> {
  const listeners = (): number => getEventListeners(signal, "abort").length;
  for (let round = 1; round <= 30 && (sockets.size > 0 || listeners() > 0); round++) {
    await sleep(10);
    // Node's `fetch` releases a signal when its request is collected.
    if (round % 10 === 0) collectGarbage();
  }
  return [...(sockets.size > 0 ? ["connection left"] : []), ...(listeners() > 0 ? ["listener left"] : [])];
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

interface Result {
  /** `value`, `wrong value`, `hangs`, or the name of the error. */
  readonly result: string;
  readonly outcomeUnknown?: boolean;
  readonly retryAfterMs?: number;
  /** Whether the error lacks the service's message. */
  readonly wordsLost?: boolean;
  /** Whether the error shows the key in its headers. */
  readonly keyShown?: boolean;
}

function resultOf(error: unknown, { message = "" }: Fault): Result {
  if (!(error instanceof Error)) throw error;
  const headers: unknown = Reflect.get(error, "headers");
  const retryAfterMs: unknown = Reflect.get(error, "retryAfterMs");
  return {
    result: error.name,
    wordsLost: !error.message.includes(message),
    keyShown: headers instanceof Headers && JSON.stringify([...headers]).includes(apiKey),
    outcomeUnknown: Reflect.get(error, "outcomeUnknown") === true,
    ...(typeof retryAfterMs === "number" && { retryAfterMs }),
  };
}
