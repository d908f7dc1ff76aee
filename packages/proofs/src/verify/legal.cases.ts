import { setTimeout } from "node:timers/promises";
import { isObject, type JsonObject } from "@trainyard/core/validation";

type Fetch = (request: Request) => Promise<Response>;

/** Returns what stands before each service in one run. */
type Play = () => (send: Fetch) => Fetch;

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

/** What a service may do unlike the local server. `trainyard verify` must report nothing about any of it. */
export const legal: Readonly<Record<string, Play>> = {
  "a stream begins with a comment": () => stream((text) => `: connected\n\n${text}`),
  "events of a stream have a name, an id and a comment before their data": () =>
    stream((text) => text.replaceAll(/^data: /gm, ": keep-alive\nevent: message\nid: 7\nretry: 3000\ndata: ")),
  "the lines of a stream end with CRLF, and have no space after the colon": () =>
    stream((text) => text.replaceAll(/^data: /gm, "data:").replaceAll("\n", "\r\n")),
  "`Idempotency-Key` is ignored": () => (send) => (request) => {
    const plain = new Request(request);
    plain.headers.delete("idempotency-key");
    return send(plain);
  },
  "pages have one item, whatever the limit": () => shortPages(() => 1),
  "pages have one, two or three items, whatever the limit": () => {
    let calls = 0;
    return shortPages(() => 1 + (calls++ % 3));
  },
  "others create a model before each list": () => otherUsers((call) => upTo(call)),
  "others delete a model before each list": () => otherUsers((call) => upTo(40 - call, call)),
  "others create and delete models before each list": () => otherUsers((call) => upTo(3, call)),
  "others create and delete the first models of the list": () => otherUsers((call) => upTo(3, call), true),
  "others create a model between two lists, once": () => otherUsers((call) => upTo(call % 5 === 1 ? 1 : 0, call), true),
  "a fault has the refused value, a limit, and an address with an explanation": () =>
    json(({ detail }) => {
      for (const fault of Array.isArray(detail) ? detail.filter(isObject) : [])
        Object.assign(fault, {
          input: { value: 7 },
          ctx: { limit_value: 1 },
          url: "https://errors.example/v/missing",
        });
    }),
  "pages have no optional property": () =>
    json((page) => {
      if (!("has_more" in page)) return;
      for (const name of ["object", "first_id", "last_id"]) delete page[name];
    }),
  "a model has no run": () =>
    json((body) => {
      if ("base_model" in body) delete body["run_id"];
    }),
  "JSON is indented": () => changing("application/json", (text) => JSON.stringify(JSON.parse(text), undefined, 2)),
  "the keys of objects have another order": () =>
    changing("application/json", (text) => JSON.stringify(reordered(JSON.parse(text)))),
  "a stream arrives in pieces of 97 bytes": () => pieces(97),
  "a stream arrives in pieces of one byte, which cut the characters of its comments": () => (send) =>
    pieces(1)(stream((text) => text.replaceAll(/^data: /gm, ": größer\ndata: "))(send)),
  "a stream arrives in one piece, late": () => pieces(1e6, 300),
  "each operation answers 429 once": busyOnce(429, 1),
  "each operation answers 503 once": busyOnce(503, 0),
  "each answer of chat has other words, also with a seed": () =>
    choices((message) => {
      if (message["content"]) message["content"] = `${crypto.randomUUID()} `;
    }),
  "chunks have null where nothing is new": () =>
    choices((message, answer) => {
      if (answer["object"] === "chat.completion.chunk")
        for (const name of ["role", "tool_calls", "refusal"]) message[name] ??= null;
    }),
  "whole answers of chat have no usage": () =>
    choices((_, answer) => {
      if (answer["object"] === "chat.completion") delete answer["usage"];
    }),
  "integers are written with a fraction of 0": () =>
    changing("application/json", (text) => text.replaceAll(/(?<="\w+":\d+)(?=[,}])/g, ".0")),
  "characters are escaped": () => changing("application/json", (text) => text.replaceAll("/", String.raw`\/`)),
  "times of training have an offset": () =>
    json((job) => {
      for (const name of ["training_start", "training_end"])
        if (typeof job[name] === "string") job[name] = job[name].replace(/Z$/, "+00:00");
    }),
  "UTC is written in another way": () =>
    changing("application/json", (text, { url }) =>
      url.endsWith("/stats") ? text.replaceAll(/Z"|\+00:00"/g, (utc) => (utc === 'Z"' ? '+00:00"' : 'Z"')) : text,
    ),
  "Log returns an empty object": () =>
    json((body, { url }, status) => {
      for (const name of url.endsWith("/log") && status === 200 ? Object.keys(body) : []) delete body[name];
    }),
  "media types are written in capitals, with a charset": () => (send) => async (request) => {
    const answer = await send(request);
    const headers = new Headers(answer.headers);
    const type = headers.get("content-type");
    if (type !== null) headers.set("content-type", `${type.split(";", 1)[0]?.toUpperCase()}; charset="UTF-8"`);
    return new Response(answer.body, { status: answer.status, headers });
  },
  "HEAD is not supported": () => (send) => (request) =>
    request.method === "HEAD" ? Promise.resolve(new Response(null, { status: 405 })) : send(request),
  "faults come in another order, and have types and codes of their own": () =>
    json((body) => {
      if (Array.isArray(body["detail"])) body["detail"] = body["detail"].toReversed();
      for (const fault of [body["detail"]].flat().filter(isObject))
        if (fault["type"] !== "missing") fault["type"] = "value_error.verify";
      if (isObject(body["error"])) body["error"]["code"] = null;
    }),
};

/** What it may do that the contract has no word for: it is reported once as not declared. */
export const undeclared: Readonly<Record<string, Play>> = {
  "a job has a new status before it runs": () => newStatus((_, times) => times <= 2),
  "a job has a new status before it ends": () =>
    newStatus((status, times) => times <= 4 && (status === "completed" || status === "failed")),
  "a model has a property that the contract does not mention": () =>
    json((body) => {
      if ("base_model" in body) body["unheard_of"] = 1;
    }),
};
