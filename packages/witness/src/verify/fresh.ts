// Possible divergences of a service. These were written after the verifier, to test whether it generalizes.
import { isObject } from "@trainyard/core/validation";
import { events, items, json, type Seed } from "./seed.ts";

export const fresh: readonly Seed[] = [
  {
    title: "a number is a fraction where it is whole",
    service: "inference",
    operation: "models.list",
    names: /created/,
    change: json((list) => {
      for (const item of items(list)) item["created"] = Number(item["created"]) + 0.5;
    }),
  },
  {
    title: "a list is an object by id",
    service: "inference",
    operation: "models.list",
    names: /data/,
    change: json(
      (list) => void (list["data"] = Object.fromEntries(items(list).map((item) => [String(item["id"]), item]))),
    ),
  },
  {
    title: "the end of the window is moved",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /`end`/,
    change: json((stats) => void (stats["end"] = "2026-11-06T00:00:00Z")),
  },
  {
    title: "times of statistics are local",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /UTC/,
    change: json((stats) => void (stats["start"] = String(stats["start"]).replace("00:00:00Z", "01:00:00+01:00"))),
  },
  {
    title: "the zone that was asked for is forgotten",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /timezone|time zone/,
    change: async (answer, { body, forward }) => {
      if (isObject(body)) Object.assign(answer, await forward({ body: { ...body, timezone: "UTC" } }));
    },
  },
  {
    title: "percentiles are left out",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /p\d+/,
    change: json((stats) => {
      for (const bucket of items(stats, "buckets"))
        for (const name of Object.keys(bucket)) if (/^p\d/.test(name)) delete bucket[name];
    }),
  },
  {
    title: "the whole window has another sum than its buckets",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /window/,
    change: json(({ window_stats: window }) => {
      for (const stats of Object.values(isObject(window) ? window : {}))
        if (isObject(stats) && typeof stats["sum"] === "number") stats["sum"] += 1;
    }),
  },
  {
    title: "the size of the buckets is not the one that was asked for",
    service: "auxiliary",
    operation: "feedback.stats",
    names: /granularity/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["granularity"])
        Object.assign(answer, await forward({ body: { ...body, granularity: 0 } }));
    },
  },
  {
    title: "an invalid percentile is 422 and not 400",
    service: "auxiliary",
    operation: "feedback.stats",
    status: 400,
    names: /400|422/,
    change: (answer) => {
      answer.status = 422;
      answer.text = JSON.stringify({ detail: [{ loc: ["body", "metrics", 0], msg: "No.", type: "value_error" }] });
    },
  },
  {
    title: "tags come unasked",
    service: "auxiliary",
    operation: "objects.read",
    names: /tags/,
    change: json(({ obj }) => {
      if (isObject(obj)) obj["tags"] = ["a"];
    }),
  },
  {
    title: "another version is answered",
    service: "auxiliary",
    operation: "objects.read",
    names: /version_index/,
    change: json(({ obj }) => {
      if (isObject(obj)) obj["version_index"] = Number(obj["version_index"]) + 1;
    }),
  },
  {
    title: "a faulty place is told without its path",
    service: "training",
    operation: "models.create",
    status: 422,
    names: /detail|loc/,
    change: json(({ detail }) => {
      for (const fault of Array.isArray(detail) ? detail : []) if (isObject(fault)) fault["loc"] = ["body"];
    }),
  },
  {
    title: "one fault is told twice",
    service: "training",
    operation: "models.create",
    status: 422,
    names: /once/,
    change: json((body) => {
      if (Array.isArray(body["detail"])) body["detail"] = [...body["detail"], ...body["detail"]];
    }),
  },
  {
    title: "a parameter at fault is not named",
    service: "inference",
    operation: "chat.completions.create",
    status: 400,
    names: /param/,
    change: json(({ error }) => {
      if (isObject(error)) error["param"] = null;
    }),
  },
  {
    title: "what is invalid passes",
    service: "training",
    operation: "chat.completions.create",
    status: 422,
    names: /422/,
    change: async (answer, { forward }) => {
      const messages = [{ role: "user", content: "?" }];
      Object.assign(answer, await forward({ body: { model: "demo/tiny", messages } }));
    },
  },
  {
    title: "an unknown model is answered by another",
    service: "inference",
    operation: "chat.completions.create",
    status: 404,
    names: /404/,
    change: async (answer, { body, forward }) => {
      if (isObject(body))
        Object.assign(answer, await forward({ body: { ...body, model: "demo/tiny", stream: false } }));
    },
  },
  {
    title: "the key is taken from the address",
    service: "inference",
    operation: "models.list",
    status: 401,
    names: /401/,
    change: async (answer, { url, headers, forward }) => {
      const key = url.searchParams.get("api_key");
      if (key === null) return;
      const changed = new Headers(headers);
      changed.set("authorization", `Bearer ${key}`);
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "the beginning of a key is enough",
    service: "auxiliary",
    operation: "hardware.list",
    status: 401,
    names: /401/,
    change: async (answer, { headers, forward }) => {
      if (!headers.get("authorization")?.startsWith("Bearer key-of-harbor")) return;
      const changed = new Headers(headers);
      changed.set("authorization", "Bearer key-of-harbor");
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "the password of basic authentication is not taken",
    service: "auxiliary",
    operation: "objects.read",
    status: "any",
    names: /basicKey/,
    change: (answer, { headers }) => {
      if (!headers.get("authorization")?.startsWith("Basic")) return;
      answer.status = 401;
      answer.headers.set("www-authenticate", "Bearer");
      answer.text = '{"reason": "No."}';
    },
  },
  {
    title: "WWW-Authenticate names a scheme that is not taken",
    service: "training",
    operation: "models.create",
    status: 401,
    names: /WWW-Authenticate/,
    change: (answer) => answer.headers.set("www-authenticate", "Digest realm=x"),
  },
  {
    title: "health needs a key",
    service: "training",
    operation: "health.check",
    status: "any",
    names: /without a key/,
    change: (answer, { headers }) => {
      if (headers.has("authorization")) return;
      answer.status = 401;
      answer.text = '{"detail": "A key, please."}';
    },
  },
  {
    title: "a header parameter is not looked at",
    service: "inference",
    operation: "models.list",
    status: 400,
    names: /400/,
    change: async (answer, { headers, forward }) => {
      const without = new Headers(headers);
      without.delete("compat-project");
      Object.assign(answer, await forward({ headers: without }));
    },
  },
  {
    title: "another method is taken for GET",
    service: "training",
    operation: "*",
    status: 405,
    names: /405/,
    change: (answer) => {
      answer.status = 200;
    },
  },
  {
    title: "HEAD has another type",
    service: "inference",
    operation: "models.list",
    status: "any",
    names: /HEAD/,
    change: (answer, { method }) => {
      if (method === "HEAD") answer.headers.set("content-type", "text/html");
    },
  },
  {
    title: "the end of a stream comes twice",
    service: "training",
    operation: "chat.completions.create",
    names: /\[DONE\]/,
    change: events((data) => [...data, "[DONE]"]),
  },
  {
    title: "a stream has one event without JSON",
    service: "training",
    operation: "chat.completions.create",
    names: /JSON/,
    change: events((data) => data.map((one, index) => (index === 1 ? `${one},` : one))),
  },
  {
    title: "a stream never says why it ended",
    service: "inference",
    operation: "chat.completions.create",
    names: /finish_reason/,
    change: events((data) => data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":null'))),
  },
  {
    title: "words of a stream are lost",
    service: "inference",
    operation: "chat.completions.create",
    names: /add up/,
    change: events((data) => data.filter((_, index) => index !== 2)),
  },
  {
    title: "the stream has another object",
    service: "inference",
    operation: "chat.completions.create",
    names: /object/,
    change: events((data) => data.map((one) => one.replace("chat.completion.chunk", "chat.completion"))),
  },
  {
    title: "one choice instead of two",
    service: "inference",
    operation: "chat.completions.create",
    names: /choices/,
    change: json((answer) => void (answer["choices"] = items(answer, "choices").slice(0, 1))),
  },
  {
    title: "a second answer has other ids",
    service: "auxiliary",
    operation: "hardware.list",
    names: /ids/,
    change: json((answer, { memory }) => {
      const times = Number(memory.get("times") ?? 0) + 1;
      memory.set("times", times);
      for (const item of items(answer, "hardware")) item["id"] = `${String(item["id"])}-${times}`;
    }),
  },
  {
    title: "a created model has another name",
    service: "training",
    operation: "models.create",
    write: true,
    names: /`name`/,
    change: json((model) => void (model["name"] = String(model["name"]).toUpperCase())),
  },
  {
    title: "events come newest first",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /oldest first|order|last/,
    change: json((page) => void (page["data"] = items(page).toReversed())),
  },
  {
    title: "a job that completed says why it failed",
    service: "training",
    operation: "trainingJobs.get",
    write: true,
    names: /error_message/,
    change: json((job) => {
      if (job["status"] === "completed") job["error_message"] = "It did not.";
    }),
  },
  {
    title: "training ended before it began",
    service: "training",
    operation: "trainingJobs.get",
    write: true,
    names: /training_end/,
    change: json((job) => {
      if (typeof job["training_end"] === "string") job["training_end"] = "2020-01-01T00:00:00Z";
    }),
  },
  {
    title: "the events say another end than the job",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /training_failed|training_ended/,
    change: json((page) => {
      for (const event of items(page)) {
        if (event["type"] !== "training_ended") continue;
        event["type"] = "training_failed";
        event["data"] = { error_message: "It failed." };
      }
    }),
  },
  {
    title: "a cursor of nobody is let in",
    service: "training",
    operation: "models.checkpoints.list",
    status: 422,
    write: true,
    names: /after/,
    change: async (answer, { url, forward }) => {
      const first = new URL(url);
      if (!first.searchParams.has("after")) return;
      first.searchParams.delete("after");
      Object.assign(answer, await forward({ url: first }));
    },
  },
  {
    title: "the newest checkpoint can be deleted",
    service: "training",
    operation: "models.checkpoints.delete",
    status: 409,
    write: true,
    names: /409|newest/,
    change: (answer) => {
      answer.status = 200;
      answer.text = JSON.stringify({ deleted_count: 1, not_found_steps: [7] });
    },
  },
  {
    title: "the deletion counts what was not there",
    service: "training",
    operation: "models.checkpoints.delete",
    write: true,
    names: /steps|not_found/,
    change: json((answer) => void (answer["not_found_steps"] = [])),
  },
  {
    title: "a new model is not among those that are available",
    service: "inference",
    operation: "models.list",
    write: true,
    names: /available/,
    change: json((list) => void (list["data"] = items(list).filter(({ id }) => !String(id).includes("verify-")))),
  },
  {
    title: "jobs go with their model",
    service: "training",
    operation: "trainingJobs.get",
    status: "any",
    write: true,
    names: /readable/,
    change: async (answer, { memory, url }) => {
      const times = Number(memory.get(url.pathname) ?? 0) + 1;
      memory.set(url.pathname, times);
      let job: unknown;
      try {
        job = JSON.parse(answer.text);
      } catch {
        return;
      }
      if (answer.status !== 200 || !isObject(job) || job["status"] !== "failed" || times < 3) return;
      answer.status = 404;
      answer.text = JSON.stringify({ detail: "There is no such job." });
    },
  },
];
