import { setTimeout } from "node:timers/promises";
import { isObject, type JsonObject } from "@trainyard/core/validation";

type Fetch = (request: Request) => Promise<Response>;

/** One way in which a service may differ from the local server without breaking its contract. */
export interface Legal {
  readonly title: string;
  /** How many findings `not declared` it gives. Default: none. */
  readonly notDeclared?: number;
  /** Returns what stands before each service in one run. */
  readonly play: () => (send: Fetch) => Fetch;
}

/** Changes each response whose media type begins with a text. */
const changing =
  (type: string, change: (text: string, request: Request, status: number) => string) =>
  (send: Fetch): Fetch =>
  async (request) => {
    const answer = await send(request);
    if (!answer.headers.get("content-type")?.startsWith(type) || request.method === "HEAD") return answer;
    return new Response(change(await answer.text(), request, answer.status), answer);
  };

const json = (change: (body: JsonObject, request: Request, status: number) => void) =>
  changing("application/json", (text, request, status) => {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) change(body, request, status);
    return JSON.stringify(body);
  });

const stream = (change: (text: string) => string) => changing("text/event-stream", change);

/** Changes each choice of a chat answer, whole or streamed: its message, or the part of it in a chunk. */
const choices = (change: (message: JsonObject, answer: JsonObject) => void) => {
  const changeIn = (text: string) => {
    const body: unknown = text === "[DONE]" ? undefined : JSON.parse(text);
    if (!isObject(body) || !Array.isArray(body["choices"])) return text;
    for (const { message, delta } of body["choices"].filter(isObject)) change(Object(message ?? delta), body);
    return JSON.stringify(body);
  };
  const [whole, streamed] = [
    changing("application/json", changeIn),
    stream((text) => text.replaceAll(/(?<=^data: ).*/gm, changeIn)),
  ];
  return (send: Fetch) => whole(streamed(send));
};

/** Sends the bytes of a stream in pieces, after some milliseconds. */
const pieces =
  (size: number, milliseconds = 0) =>
  (send: Fetch): Fetch =>
  async (request) => {
    const answer = await send(request);
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    await setTimeout(milliseconds);
    const body = new ReadableStream({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    return new Response(body, answer);
  };

/** Answers each operation once that it is busy. */
const busyOnce = (status: number, seconds: number) => (): ((send: Fetch) => Fetch) => {
  const told = new Set<string>();
  return (send) => async (request) => {
    const { pathname } = new URL(request.url);
    const operation = `${request.method} ${pathname.replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, "")}`;
    // A 503 of the system check is its result.
    if (told.has(operation) || pathname.endsWith("/system-check")) return send(request);
    told.add(operation);
    const error = { message: "Busy.", type: null, param: null, code: "rate_limit_exceeded" };
    const body = pathname.includes("/auxiliary/")
      ? { reason: "Busy." }
      : pathname.includes("/inference/")
        ? { error }
        : { detail: "Busy." };
    return Response.json(body, {
      status,
      headers: { "retry-after": String(seconds), "x-request-id": crypto.randomUUID() },
    });
  };
};

/** An object with the keys of all its objects in another order. Only a bucket of statistics states one. */
const reordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reordered)
    : !isObject(value) || "timestamp" in value
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, one]) => [name, reordered(one)]),
        );

/** Sends every list with a limit that is at most what the function says. */
const shortPages =
  (mostOf: () => number) =>
  (send: Fetch): Fetch =>
  (request) => {
    const url = new URL(request.url);
    const limit = Number(url.searchParams.get("limit") ?? 20);
    if (!/\/(checkpoints|events)$/.test(url.pathname) || request.method !== "GET" || !(limit >= 1 && limit <= 100))
      return send(request);
    url.searchParams.set("limit", String(Math.min(limit, mostOf())));
    return send(new Request(url, request));
  };

/** Gives the status of every job that has not ended, or every second time it is read, another name. */
const newStatus = (isNew: (status: string, times: number) => boolean) => {
  const times = new Map<string, number>();
  return json((job) => {
    const { id, status } = job;
    if (typeof status !== "string" || typeof id !== "string" || !("training_start" in job)) return;
    times.set(id, (times.get(id) ?? 0) + 1);
    if (!isNew(status, times.get(id) ?? 0)) return;
    Object.assign(job, { status: "preparing", training_end: null, error_message: null });
  });
};

/** The models of other users in the list of the inference service: which ones, at its so many-th call. */
const otherUsers = (namesAt: (call: number) => readonly number[], atFront = false) => {
  let calls = 0;
  return json((body) => {
    const { data } = body;
    if (body["object"] !== "list" || !Array.isArray(data) || !data.some((one) => isObject(one) && "owned_by" in one))
      return;
    const models = namesAt(calls++).map((name) => {
      const id = `artifact:///harbor/others/agent-${name}:step0`;
      return { id, object: "model", created: 0, owned_by: "harbor", root: "demo/tiny" };
    });
    body["data"] = atFront ? [...models, ...data] : [...data, ...models];
  });
};
const upTo = (count: number, from = 0) => Array.from({ length: Math.max(0, count) }, (_, index) => from + index);

/** What a service may do. `trainyard verify` must not report a contradiction for any of them. */
export const legal: readonly Legal[] = [
  {
    title: "a stream begins with a comment",
    play: () => stream((text) => `: connected\n\n${text}`),
  },
  {
    title: "events of a stream have a name, an id and a comment before their data",
    play: () =>
      stream((text) => text.replaceAll(/^data: /gm, ": keep-alive\nevent: message\nid: 7\nretry: 3000\ndata: ")),
  },
  {
    title: "the lines of a stream end with CRLF, and have no space after the colon",
    play: () => stream((text) => text.replaceAll(/^data: /gm, "data:").replaceAll("\n", "\r\n")),
  },
  {
    title: "`Idempotency-Key` is ignored",
    play: () => (send) => (request) => {
      const plain = new Request(request);
      plain.headers.delete("idempotency-key");
      return send(plain);
    },
  },
  { title: "pages have one item, whatever the limit", play: () => shortPages(() => 1) },
  {
    title: "pages have one, two or three items, whatever the limit",
    play: () => {
      let calls = 0;
      return shortPages(() => 1 + (calls++ % 3));
    },
  },
  { title: "others create a model before each list", play: () => otherUsers((call) => upTo(call)) },
  { title: "others delete a model before each list", play: () => otherUsers((call) => upTo(40 - call, call)) },
  { title: "others create and delete models before each list", play: () => otherUsers((call) => upTo(3, call)) },
  {
    title: "others create and delete the first models of the list",
    play: () => otherUsers((call) => upTo(3, call), true),
  },
  {
    title: "others create a model between two lists, once",
    play: () => otherUsers((call) => upTo(call % 5 === 1 ? 1 : 0, call), true),
  },
  {
    title: "a job has a new status before it runs",
    notDeclared: 1,
    play: () => newStatus((_, times) => times <= 2),
  },
  {
    title: "a job has a new status before it ends",
    notDeclared: 1,
    play: () => newStatus((status, times) => times <= 4 && (status === "completed" || status === "failed")),
  },
  {
    title: "a fault has the refused value, a limit, and an address with an explanation",
    play: () =>
      json(({ detail }) => {
        for (const fault of Array.isArray(detail) ? detail.filter(isObject) : [])
          Object.assign(fault, {
            input: { value: 7 },
            ctx: { limit_value: 1 },
            url: "https://errors.example/v/missing",
          });
      }),
  },
  {
    title: "a model has a property that the contract does not mention",
    notDeclared: 1,
    play: () =>
      json((body) => {
        if ("base_model" in body) body["unheard_of"] = 1;
      }),
  },
  {
    title: "pages have no optional property",
    play: () =>
      json((page) => {
        if (!("has_more" in page)) return;
        for (const name of ["object", "first_id", "last_id"]) delete page[name];
      }),
  },
  {
    title: "a model has no run",
    play: () =>
      json((body) => {
        if ("base_model" in body) delete body["run_id"];
      }),
  },
  {
    title: "JSON is indented",
    play: () => changing("application/json", (text) => JSON.stringify(JSON.parse(text), undefined, 2)),
  },
  {
    title: "the keys of objects have another order",
    play: () => changing("application/json", (text) => JSON.stringify(reordered(JSON.parse(text)))),
  },
  { title: "a stream arrives in pieces of 97 bytes", play: () => pieces(97) },
  {
    title: "a stream arrives in pieces of one byte, which cut the characters of its comments",
    play: () => (send) => pieces(1)(stream((text) => text.replaceAll(/^data: /gm, ": größer\ndata: "))(send)),
  },
  { title: "a stream arrives in one piece, late", play: () => pieces(1e6, 300) },
  { title: "each operation answers 429 once", play: busyOnce(429, 1) },
  { title: "each operation answers 503 once", play: busyOnce(503, 0) },
  {
    title: "each answer of chat has other words, also with a seed",
    play: () =>
      choices((message) => {
        if (message["content"]) message["content"] = `${crypto.randomUUID()} `;
      }),
  },
  {
    title: "chunks have null where nothing is new",
    play: () =>
      choices((message, answer) => {
        if (answer["object"] === "chat.completion.chunk")
          for (const name of ["role", "tool_calls", "refusal"]) message[name] ??= null;
      }),
  },
  {
    title: "whole answers of chat have no usage",
    play: () =>
      choices((_, answer) => {
        if (answer["object"] === "chat.completion") delete answer["usage"];
      }),
  },
  {
    title: "integers are written with a fraction of 0",
    play: () => changing("application/json", (text) => text.replaceAll(/(?<="\w+":\d+)(?=[,}])/g, ".0")),
  },
  {
    title: "characters are escaped",
    play: () => changing("application/json", (text) => text.replaceAll("/", String.raw`\/`)),
  },
  {
    title: "times of training have an offset",
    play: () =>
      json((job) => {
        for (const name of ["training_start", "training_end"])
          if (typeof job[name] === "string") job[name] = job[name].replace(/Z$/, "+00:00");
      }),
  },
  {
    title: "media types are written in capitals, with a charset",
    play: () => (send) => async (request) => {
      const answer = await send(request);
      const headers = new Headers(answer.headers);
      const type = headers.get("content-type");
      if (type !== null) headers.set("content-type", `${type.split(";", 1)[0]?.toUpperCase()}; charset="UTF-8"`);
      return new Response(answer.body, { status: answer.status, headers });
    },
  },
  {
    title: "HEAD is not supported",
    play: () => (send) => (request) =>
      request.method === "HEAD" ? Promise.resolve(new Response(null, { status: 405 })) : send(request),
  },
  {
    title: "faults come in another order, and have types and codes of their own",
    play: () =>
      json((body) => {
        if (Array.isArray(body["detail"])) body["detail"] = body["detail"].toReversed();
        for (const fault of [body["detail"]].flat().filter(isObject))
          if (fault["type"] !== "missing") fault["type"] = "value_error.verify";
        if (isObject(body["error"])) body["error"]["code"] = null;
      }),
  },
];
