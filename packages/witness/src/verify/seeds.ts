// Possible divergences of a service. These were written before the verifier.
import { isObject } from "@trainyard/core/validation";
import { events, items, json, type Seed } from "./seed.ts";

const chunk = (change: (chunk: Record<string, unknown>, index: number) => void): Seed["change"] =>
  events((data) =>
    data.map((one, index) => {
      if (one === "[DONE]") return one;
      const value: Record<string, unknown> = JSON.parse(one);
      change(value, index);
      return JSON.stringify(value);
    }),
  );

const shapes: Seed[] = [
  {
    title: "a required field is missing",
    service: "training",
    operation: "models.create",
    write: true,
    names: /base_model/,
    change: json((model) => void delete model["base_model"]),
  },
  {
    title: "a number comes as a text",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /step/,
    change: json((page) => {
      for (const item of items(page)) item["step"] = String(item["step"]);
    }),
  },
  {
    title: "null where the field cannot be null",
    service: "training",
    operation: "models.create",
    write: true,
    names: /project/,
    change: json((model) => void (model["project"] = null)),
  },
  {
    title: "a value more in a closed enumeration",
    service: "training",
    operation: "health.check",
    names: /status/,
    change: json((health) => void (health["status"] = "fine")),
  },
  {
    title: "an id is no UUID",
    service: "training",
    operation: "trainingJobs.createRl",
    write: true,
    names: /id/,
    change: json((job) => void (job["id"] = `job-${String(job["id"]).slice(0, 8)}`)),
  },
  {
    title: "a time has no offset",
    service: "training",
    operation: "trainingJobs.get",
    write: true,
    names: /training_end/,
    change: json((job) => {
      if (typeof job["training_end"] === "string") job["training_end"] = job["training_end"].replace(/Z$/, "");
    }),
  },
  {
    title: "a time is a number",
    service: "training",
    operation: "trainingJobs.get",
    write: true,
    names: /training_end/,
    change: json((job) => {
      if (typeof job["training_end"] === "string") job["training_end"] = Date.parse(job["training_end"]);
    }),
  },
  {
    title: "created in milliseconds",
    service: "inference",
    operation: "chat.completions.create",
    names: /created/,
    change: json((answer) => {
      if (typeof answer["created"] === "number") answer["created"] *= 1000;
    }),
  },
  {
    title: "a field that the document does not have",
    service: "inference",
    operation: "models.list",
    names: /permission/,
    certainty: "not declared",
    change: json((list) => {
      for (const item of items(list)) item["permission"] = [];
    }),
  },
  {
    title: "a list has another envelope",
    service: "inference",
    operation: "models.list",
    names: /data/,
    change: json((list) => ({ object: "list", models: list["data"] })),
  },
  {
    title: "the constant of a list is another",
    service: "inference",
    operation: "models.list",
    names: /object/,
    change: json((list) => void (list["object"] = "models")),
  },
  {
    title: "a price is a text",
    service: "auxiliary",
    operation: "hardware.list",
    names: /cents_per_million_input_tokens/,
    change: json((answer) => {
      for (const { pricing } of items(answer, "hardware"))
        if (isObject(pricing)) pricing["cents_per_million_input_tokens"] = "12";
    }),
  },
  {
    title: "the sum of the tokens is another",
    service: "inference",
    operation: "chat.completions.create",
    names: /total_tokens/,
    change: json(({ usage }) => {
      if (isObject(usage)) usage["total_tokens"] = Number(usage["prompt_tokens"]);
    }),
  },
];

const http: Seed[] = [
  {
    title: "creation answers 201",
    service: "training",
    operation: "models.create",
    status: 200,
    write: true,
    names: /201/,
    change: (answer) => void (answer.status = 201),
  },
  {
    title: "health answers 500",
    service: "training",
    operation: "health.check",
    names: /500/,
    change: (answer) => {
      answer.status = 500;
      answer.text = '{"detail": "Something went wrong."}';
    },
  },
  {
    title: "an unknown id is 400",
    service: "training",
    operation: "trainingJobs.get",
    status: 404,
    names: /404|400/,
    change: (answer) => void (answer.status = 400),
  },
  {
    title: "an error of another form",
    service: "training",
    operation: "trainingJobs.get",
    status: 404,
    names: /detail/,
    change: json(() => ({ error: { message: "There is no such job." } })),
  },
  {
    title: "a refusal without its places",
    service: "training",
    operation: "models.create",
    status: 422,
    names: /detail/,
    change: json(() => ({ message: "The body is not valid." })),
  },
  {
    title: "a page of HTML instead of an error",
    service: "auxiliary",
    operation: "feedback.stats",
    status: 422,
    names: /text\/html|media type|Content-Type/i,
    change: (answer) => {
      answer.headers.set("content-type", "text/html");
      answer.text = "<h1>Bad request</h1>";
    },
  },
  {
    title: "x-request-id is gone",
    service: "inference",
    operation: "models.list",
    names: /x-request-id/,
    change: (answer) => answer.headers.delete("x-request-id"),
  },
  {
    title: "x-request-id is always the same",
    service: "training",
    operation: "*",
    status: "any",
    names: /x-request-id/,
    change: (answer) => answer.headers.set("x-request-id", "req_1"),
  },
  {
    title: "WWW-Authenticate is gone",
    service: "inference",
    operation: "models.list",
    status: 401,
    names: /WWW-Authenticate/i,
    change: (answer) => answer.headers.delete("www-authenticate"),
  },
  {
    title: "a wrong content type",
    service: "training",
    operation: "health.check",
    names: /text\/plain/,
    change: (answer) => answer.headers.set("content-type", "text/plain"),
  },
  {
    title: "another charset",
    service: "training",
    operation: "health.check",
    names: /iso-8859-1/i,
    change: (answer) => answer.headers.set("content-type", "application/json; charset=iso-8859-1"),
  },
  {
    title: "invalid JSON",
    service: "inference",
    operation: "models.list",
    names: /JSON/,
    change: (answer) => void (answer.text = answer.text.slice(0, -1)),
  },
  {
    title: "an empty body",
    service: "training",
    operation: "models.listBase",
    names: /empty|JSON/,
    change: (answer) => void (answer.text = ""),
  },
  {
    title: "a redirect",
    service: "inference",
    operation: "models.list",
    names: /307/,
    change: (answer, { url }) => {
      answer.status = 307;
      answer.headers.set("location", `${url.pathname}/`);
    },
  },
  {
    title: "no key is needed",
    service: "inference",
    operation: "models.list",
    status: 401,
    names: /401/,
    change: async (answer, { headers, forward }) => {
      if (headers.has("authorization")) return;
      const changed = new Headers(headers);
      changed.set("authorization", "Bearer key-of-harbor");
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "any key is good",
    service: "training",
    operation: "trainingJobs.get",
    status: 401,
    names: /401/,
    change: async (answer, { headers, forward }) => {
      if (!headers.has("authorization")) return;
      const changed = new Headers(headers);
      changed.set("authorization", "Bearer key-of-harbor");
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "an unknown path answers 200",
    service: "training",
    operation: "*",
    status: 404,
    names: /404/,
    change: (answer, { url }) => {
      if (/models|jobs/.test(url.pathname)) return;
      answer.status = 200;
    },
  },
  {
    title: "405 without Allow",
    service: "training",
    operation: "*",
    status: 405,
    names: /Allow/,
    change: (answer) => answer.headers.delete("allow"),
  },
  {
    title: "HEAD says something else than GET",
    service: "training",
    operation: "health.check",
    status: "any",
    names: /HEAD/,
    change: (answer, { method }) => {
      if (method === "HEAD") answer.status = 404;
    },
  },
  {
    title: "Retry-After is a sentence",
    service: "training",
    operation: "models.listBase",
    names: /Retry-After/i,
    change: (answer, { memory, method }) => {
      if (memory.has("told") || method !== "GET") return;
      memory.set("told", true);
      answer.status = 429;
      answer.headers.set("retry-after", "soon");
      answer.text = '{"detail": "Too many requests."}';
    },
  },
];

const pages: Seed[] = [
  {
    title: "the cursor repeats",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /after|twice|cursor/,
    change: async (answer, { url, forward }) => {
      const first = new URL(url);
      first.searchParams.delete("after");
      Object.assign(answer, await forward({ url: first }));
    },
  },
  {
    title: "has_more is always true",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /has_more/,
    change: json((page) => void (page["has_more"] = true)),
  },
  {
    title: "has_more is always false",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /has_more/,
    change: json((page) => void (page["has_more"] = false)),
  },
  {
    title: "the limit is not kept",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /limit/,
    change: async (answer, { url, forward }) => {
      const all = new URL(url);
      all.searchParams.delete("limit");
      Object.assign(answer, await forward({ url: all }));
    },
  },
  {
    title: "the order is not kept",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /order|by step|sorted/i,
    change: async (answer, { url, forward }) => {
      const other = new URL(url);
      other.searchParams.delete("order");
      Object.assign(answer, await forward({ url: other }));
    },
  },
  {
    title: "an item comes twice",
    service: "inference",
    operation: "models.list",
    names: /twice/,
    change: json((list) => void (list["data"] = [...items(list), ...items(list).slice(0, 1)])),
  },
  {
    title: "last_id is another",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /last_id/,
    change: json((page) => void (page["last_id"] = crypto.randomUUID())),
  },
];

const streams: Seed[] = [
  {
    title: "a stream without its end",
    service: "inference",
    operation: "chat.completions.create",
    names: /\[DONE\]/,
    change: events((data) => data.filter((one) => one !== "[DONE]")),
  },
  {
    title: "a chunk of another form",
    service: "inference",
    operation: "chat.completions.create",
    names: /choices/,
    change: chunk((value, index) => {
      if (index === 1) delete value["choices"];
    }),
  },
  {
    title: "no chunk with the usage",
    service: "training",
    operation: "chat.completions.create",
    names: /usage/,
    change: events((data) => data.filter((one) => !/"usage":\{/.test(one))),
  },
  {
    title: "the chunks have different ids",
    service: "inference",
    operation: "chat.completions.create",
    names: /share|id/,
    change: chunk((value, index) => void (value["id"] = `chatcmpl-${index}`)),
  },
  {
    title: "a chunk comes twice",
    service: "inference",
    operation: "chat.completions.create",
    names: /add up|stream/,
    change: events((data) => data.flatMap((one, index) => (index === 2 ? [one, one] : [one]))),
  },
  {
    title: "a stream answers as JSON",
    service: "inference",
    operation: "chat.completions.create",
    names: /event-stream/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["stream"] === true)
        Object.assign(answer, await forward({ body: { ...body, stream: false } }));
    },
  },
];

const stories: Seed[] = [
  {
    title: "the idempotency key is not honored",
    service: "training",
    operation: "trainingJobs.createRl",
    status: "any",
    write: true,
    names: /Idempotency-Key/i,
    change: async (answer, { headers, forward }) => {
      if (!headers.has("idempotency-key")) return;
      const without = new Headers(headers);
      without.delete("idempotency-key");
      Object.assign(answer, await forward({ headers: without }));
    },
  },
  {
    title: "a job answers with the id of another",
    service: "training",
    operation: "trainingJobs.get",
    write: true,
    names: /id/,
    change: json((job) => void (job["id"] = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43")),
  },
  {
    title: "what was deleted is still there",
    service: "training",
    operation: "models.delete",
    status: "any",
    write: true,
    names: /404|delete/i,
    change: (answer, { url, memory }) => {
      if (answer.status === 200) memory.set(url.pathname, answer.text);
      const before = memory.get(url.pathname);
      if (answer.status !== 404 || typeof before !== "string") return;
      answer.status = 200;
      answer.text = before;
    },
  },
  {
    title: "a job that has ended runs again",
    service: "training",
    operation: "trainingJobs.get",
    write: true,
    names: /status/,
    change: json((job, { memory }) => {
      if (job["status"] !== "completed" && job["status"] !== "failed") return;
      const times = Number(memory.get("times") ?? 0) + 1;
      memory.set("times", times);
      if (times % 2 === 0) job["status"] = "running";
    }),
  },
  {
    title: "a second model of the same name",
    service: "training",
    operation: "models.create",
    status: 409,
    write: true,
    names: /409/,
    change: async (answer, { body, forward }) => {
      if (isObject(body)) Object.assign(answer, await forward({ body: { ...body, return_existing: true } }));
    },
  },
  {
    title: "the statistics do not add up",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /count|bucket/,
    change: json((stats) => {
      for (const bucket of items(stats, "buckets")) bucket["count"] = Number(bucket["count"]) + 1;
    }),
  },
  {
    title: "a bucket is left out",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /bucket/,
    change: json((stats) => void (stats["buckets"] = items(stats, "buckets").filter((_, index) => index !== 1))),
  },
  {
    title: "the metadata come with the value",
    service: "auxiliary",
    operation: "objects.read",
    names: /val/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["metadata_only"] === true)
        Object.assign(answer, await forward({ body: { ...body, metadata_only: false } }));
    },
  },
  {
    title: "an unknown property is let in",
    service: "auxiliary",
    operation: "objects.read",
    status: 422,
    names: /422/,
    change: async (answer, { body, forward }) => {
      if (!isObject(body)) return;
      const { project_id, object_id, digest } = body;
      Object.assign(answer, await forward({ body: { project_id, object_id, digest } }));
    },
  },
];

/** The divergences that were written before the verifier. */
export const seeds: readonly Seed[] = [...shapes, ...http, ...pages, ...streams, ...stories];
