import { createTrainingClient, type TrainingClient } from "@trainyard/training";

/** The kinds of calls, in the order of the outcomes. */
export const kinds = [
  // A GET, which may always be sent again; creations with and without an idempotency key; what must not be sent again.
  "get",
  "keyed",
  "unkeyed",
  "never",
  // A streamed chat completion, read to its end.
  "stream",
  // A list, read on to its second page, which fails; the events of a job, where the second poll fails once.
  "page",
  "follow",
] as const;

export type Kind = (typeof kinds)[number];

/** The target of a call, and its limits. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  /** Default: that of the client. */
  readonly maxRetries?: number;
  readonly signal: AbortSignal;
  /** Called with each piece of a stream. */
  readonly seen: () => void;
  /** The function that sends: the global `fetch`, except for the closed address. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** Each kind of call by one client. It returns what `values` has for a successful call. */
export type Calls = { readonly [K in Kind]: (target: Target) => Promise<string> };

/** The ids in the calls. */
export const jobId = "3f2b8c1e-7a54-4d0e-9c61-2b8f5d3a9e70";
export const modelId = "8d1f0c52-0b7e-4a35-b0a4-6c1e9d2f7a11";

/** The bodies of the calls. */
export const newModel = { project: "p", name: "n", base_model: "b" };
export const question = { model: "m", messages: [{ role: "user" as const, content: "Hello" }] };

const chunk = (content: string, finish_reason: "stop" | null): object => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const part = { success: true, duration: 1, error: null };
const checkpoint = (id: string, step: number): object => ({ id, step, metrics: {} });

/** The bodies of successful responses to each kind of call, in turn. */
const good: { readonly [K in Exclude<Kind, "stream">]: readonly [object, ...object[]] } = {
  get: [{ id: jobId, status: "running" }],
  keyed: [{ ...newModel, id: modelId, entity: "e" }],
  unkeyed: [{ ...newModel, id: modelId, entity: "e" }],
  never: [{ api: true, database: part, cpu_queue: part, gpu_queue: part }],
  page: [
    { data: [checkpoint("p1", 0), checkpoint("p2", 1)], has_more: true },
    { data: [checkpoint("p3", 2)], has_more: false },
  ],
  follow: [
    { data: [{ id: "e1", type: "training_started", data: { num_sequences: 1 } }], has_more: false },
    {
      data: [
        { id: "e2", type: "gradient_step", data: { loss: 1 } },
        { id: "e3", type: "training_ended", data: {} },
      ],
      has_more: false,
    },
  ],
};

/** The pieces of a successful stream. */
export const frames: readonly string[] = [
  `data: ${JSON.stringify(chunk("Good ", null))}\n\n`,
  `data: ${JSON.stringify(chunk("day", "stop"))}\n\n`,
  "data: [DONE]\n\n",
];

/** The body of the `turn`th successful response to a kind of call. */
export function goodBody(kind: Kind, turn: number): string {
  if (kind === "stream") return frames.join("");
  return JSON.stringify(good[kind][Math.min(turn, good[kind].length - 1)]);
}

/** The result that an adapter returns for each kind of call if nothing fails. */
export const values: { readonly [K in Kind]: string } = {
  get: jobId,
  keyed: modelId,
  unkeyed: modelId,
  never: "true",
  stream: "Good day",
  page: "p1 p2 p3",
  follow: "e1 e2 e3",
};

/** A `fetch` of a program, which does with a body what the header `x-body` of its response says. */
const wrapped =
  (fetch: Target["fetch"]): Target["fetch"] =>
  async (input, init) => {
    // A connection is free for the next request one turn after its last response was read.
    await new Promise((done) => setImmediate(done));
    const response = await fetch(input, init);
    const does = response.headers.get("x-body");
    if (does === "read") await response.text();
    // As runtimes do with half a gigabyte.
    const text = (): Promise<string> => Promise.reject(new RangeError("Invalid string length"));
    return does === "long" ? Object.assign(response, { text }) : response;
  };

const clientOf = ({ baseUrl, apiKey, timeoutMs, maxRetries = 2, fetch }: Target): TrainingClient =>
  createTrainingClient({ baseUrl, apiKey, timeoutMs, maxRetries, fetch: wrapped(fetch) });

/** The calls by our client. */
export const calls: Calls = {
  get: async (target) => (await clientOf(target).trainingJobs.get(jobId, { signal: target.signal })).id,
  keyed: async (target) =>
    (await clientOf(target).models.create(newModel, { idempotencyKey: "k-1", signal: target.signal })).id,
  unkeyed: async (target) => (await clientOf(target).models.create(newModel, { signal: target.signal })).id,
  never: async (target) => String((await clientOf(target).health.systemCheck({ signal: target.signal })).api),
  stream: async (target) => {
    const { signal } = target;
    const stream = await clientOf(target).chat.completions.create({ ...question, stream: true }, { signal });
    let text = "";
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      target.seen();
    }
    return text;
  },
  page: async (target) => {
    const ids: string[] = [];
    const list = clientOf(target).models.checkpoints.list(modelId, {}, { signal: target.signal });
    for await (const { id } of list) ids.push(id);
    return ids.join(" ");
  },
  follow: async (target) => {
    const ids: string[] = [];
    for await (const { id } of clientOf(target).trainingJobs.follow(jobId, { signal: target.signal })) ids.push(id);
    return ids.join(" ");
  },
};
