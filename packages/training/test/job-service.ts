import { onTestFinished, vi } from "vitest";
import {
  createTrainingClient,
  type TrainingClient,
  type TrainingClientOptions,
  type TrainingJob,
  type TrainingJobEvent,
} from "../src/index.ts";

/** The clock stands still for this test: time goes on only by its own functions. */
export function stopClock(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets the time pass that a promise waits for, and gives what came of it. */
export async function soon<Result>(promise: Promise<Result>): Promise<Result | { rejected: unknown }> {
  const settled = promise.catch((rejected: unknown) => ({ rejected }));
  await vi.runAllTimersAsync();
  return settled;
}

export const jobId = "8c0c4d5e-2f0a-4b58-9f1e-0a6f1d2b3c4d";
export const modelId = "1f6a1b2c-3d4e-4f50-8a6b-7c8d9e0f1a2b";

/** An event of a job. */
export function event(id: string, type: TrainingJobEvent["type"], data: object = {}): TrainingJobEvent {
  // Tests give each type the data that it has.
  return { id, type, data } as TrainingJobEvent;
}

export const started = event("e1", "training_started", { num_sequences: 4 });
export const step = (id: string): TrainingJobEvent => event(id, "gradient_step", { loss: 0.5 });
export const ended = (data: object = {}): TrainingJobEvent => event("end", "training_ended", data);
export const failed = event("bad", "training_failed", { error_message: "The loss is no number." });

/** What one poll meets: these events are all that there are, or this happens instead. */
export type Poll = readonly TrainingJobEvent[] | Response | Error;

export interface JobService {
  readonly client: TrainingClient;
  /** Each request, with the time of its arrival. */
  readonly requests: { at: number; method: string; path: string; after: string | null }[];
  /** How many polls for events there were, and when. */
  readonly polls: () => number[];
  checkpoints: { id: string; step: number; metrics: Record<string, number> }[];
  job: Partial<TrainingJob>;
}

/** A service with one job, whose polls meet these in turn, the last one again and again. Pages have `size` events. */
export function jobService(polls: readonly Poll[], size = 20, options: TrainingClientOptions = {}): JobService {
  const left = [...polls];
  const service: JobService = {
    requests: [],
    polls: () => service.requests.filter(({ path }) => path.endsWith("/events")).map(({ at }) => at),
    checkpoints: [],
    job: {},
    client: createTrainingClient({ baseUrl: "http://training.test", apiKey: "a-key", fetch: answer, ...options }),
  };
  let shown: readonly TrainingJobEvent[] = [];

  async function answer(url: string, init: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(url);
    const after = searchParams.get("after");
    service.requests.push({ at: performance.now(), method: init.method ?? "GET", path: pathname, after });
    init.signal?.throwIfAborted();
    if (init.method === "POST") return Response.json({ id: jobId });
    if (pathname.endsWith("/checkpoints"))
      return page(
        service.checkpoints.toSorted((a, b) => b.step - a.step),
        after,
      );
    if (!pathname.endsWith("/events")) return Response.json({ id: jobId, ...service.job });
    // A further page belongs to the same poll.
    const further = shown.some(({ id }) => id === after) && shown.at(-1)?.id !== after;
    const next = further ? shown : ((left.length > 1 ? left.shift() : left[0]) ?? []);
    if (next instanceof Error) throw next;
    if (next instanceof Response) return next.clone();
    shown = next;
    return page(next, after);
  }

  function page(all: readonly { id: string }[], after: string | null): Response {
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return Response.json({ data: all.slice(from, from + size), has_more: from + size < all.length });
  }
  return service;
}
