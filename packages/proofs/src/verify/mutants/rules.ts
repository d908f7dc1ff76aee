import { isObject } from "@trainyard/core/validation";
import { items, json, raw, resent, type Mutant } from "../mutant.ts";

const withKey = { headers: { authorization: "Bearer key-of-harbor" } };

/** Differences in what a service does with a request, and in several responses together. */
export const rules: readonly Mutant[] = [
  // Differences in how invalid requests are rejected.
  json("training trainingJobs.get 404", "an error has the format of another service", /detail/, () => ({
    error: { message: "There is no such job." },
  })),
  json("training models.create 422", "an error for an invalid body does not list the invalid fields", /detail/, () => ({
    message: "The body is not valid.",
  })),
  raw("auxiliary feedback.stats 422", "an error is an HTML page", /text\/html|media type|Content-Type/i, (answer) => {
    answer.headers.set("content-type", "text/html");
    answer.text = "<h1>Bad request</h1>";
  }),
  resent(
    "auxiliary objects.read 422",
    "an unknown property is accepted",
    /422/,
    ({ body: { project_id, object_id, digest } }) => ({ body: { project_id, object_id, digest } }),
  ),
  raw("auxiliary feedback.stats 400", "an invalid percentile returns 422 instead of 400", /400|422/, (answer) => {
    answer.status = 422;
    answer.text = JSON.stringify({ detail: [{ loc: ["body", "metrics", 0], msg: "No.", type: "value_error" }] });
  }),
  json("training models.create 422", "an error names an invalid field without its path", /detail|loc/, ({ detail }) => {
    for (const fault of Array.isArray(detail) ? detail : []) if (isObject(fault)) fault["loc"] = ["body"];
  }),
  json("training models.create 422", "an error lists a fault twice", /once/, (body) => {
    if (Array.isArray(body["detail"])) body["detail"] = [...body["detail"], ...body["detail"]];
  }),
  json(
    "inference chat.completions.create 400",
    "an error does not name the invalid parameter",
    /param/,
    ({ error }) => {
      if (isObject(error)) error["param"] = null;
    },
  ),
  resent("training chat.completions.create 422", "an invalid body is accepted", /422/, () => ({
    body: { model: "demo/tiny", messages: [{ role: "user", content: "?" }] },
  })),
  resent(
    "inference chat.completions.create 404",
    "a request for an unknown model is answered by another model",
    /404/,
    ({ body }) => ({ body: { ...body, model: "demo/tiny", stream: false } }),
  ),
  resent("inference models.list 400", "an invalid header parameter is accepted", /400/, () => ({
    headers: { "compat-project": undefined },
  })),
  // Differences in authentication.
  raw("inference models.list 401", "WWW-Authenticate is missing", /WWW-Authenticate/i, (answer) =>
    answer.headers.delete("www-authenticate"),
  ),
  resent("inference models.list 401", "no key is required", /401/, ({ headers }) =>
    headers.has("authorization") ? undefined : withKey,
  ),
  resent("training trainingJobs.get 401", "any key is accepted", /401/, ({ headers }) =>
    headers.has("authorization") ? withKey : undefined,
  ),
  resent("inference models.list 401", "a key in the query is accepted", /401/, ({ url }) => {
    const key = url.searchParams.get("api_key");
    return key === null ? undefined : { headers: { authorization: `Bearer ${key}` } };
  }),
  resent("auxiliary hardware.list 401", "a key with additional characters is accepted", /401/, ({ headers }) =>
    headers.get("authorization")?.startsWith(withKey.headers.authorization) ? withKey : undefined,
  ),
  raw(
    "auxiliary objects.read any",
    "the password of basic authentication is not accepted",
    /basicKey/,
    (answer, { headers }) => {
      if (!headers.get("authorization")?.startsWith("Basic")) return;
      answer.status = 401;
      answer.headers.set("www-authenticate", "Bearer");
      answer.text = '{"reason": "No."}';
    },
  ),
  raw(
    "training models.create 401",
    "WWW-Authenticate names a scheme that is not supported",
    /WWW-Authenticate/,
    (answer) => answer.headers.set("www-authenticate", "Digest realm=x"),
  ),
  raw("training health.check any", "health requires a key", /without a key/, (answer, { headers }) => {
    if (headers.has("authorization")) return;
    answer.status = 401;
    answer.text = '{"detail": "A key, please."}';
  }),
  // Differences in lists and their pages.
  resent("training trainingJobs.events.list writing", "the cursor is ignored", /after|twice|cursor/, () => ({
    without: "after",
  })),
  json("training models.checkpoints.list writing", "has_more is always true", /has_more/, (page) => {
    page["has_more"] = true;
  }),
  json("training trainingJobs.events.list writing", "has_more is always false", /has_more/, (page) => {
    page["has_more"] = false;
  }),
  resent("training trainingJobs.events.list writing", "the limit is ignored", /limit/, () => ({ without: "limit" })),
  resent("training models.checkpoints.list writing", "the order is ignored", /order|by step|sorted/i, () => ({
    without: "order",
  })),
  json("inference models.list", "an item occurs twice", /twice/, (list) => {
    list["data"] = [...items(list), ...items(list).slice(0, 1)];
  }),
  json("training models.checkpoints.list writing", "last_id is the id of another item", /last_id/, (page) => {
    page["last_id"] = crypto.randomUUID();
  }),
  json(
    "training trainingJobs.events.list writing",
    "events are listed newest first",
    /oldest first|order|last/,
    (page) => {
      page["data"] = items(page).toReversed();
    },
  ),
  resent(
    "training models.checkpoints.list 422 writing",
    "a cursor that never existed is accepted",
    /after/,
    ({ url }) => (url.searchParams.has("after") ? { without: "after" } : undefined),
  ),
  // Differences that show only in several requests together: most are in models, jobs and checkpoints.
  resent(
    "training trainingJobs.createRl any writing",
    "the idempotency key is ignored",
    /Idempotency-Key/i,
    ({ headers }) => (headers.has("idempotency-key") ? { headers: { "idempotency-key": undefined } } : undefined),
  ),
  json("training trainingJobs.get writing", "a job has the id of another job", /id/, (job) => {
    job["id"] = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43";
  }),
  raw(
    "training models.delete any writing",
    "a deleted model still exists",
    /404|delete/i,
    (answer, { url, memory }) => {
      if (answer.status === 200) memory.set(url.pathname, answer.text);
      const before = memory.get(url.pathname);
      if (answer.status !== 404 || typeof before !== "string") return;
      answer.status = 200;
      answer.text = before;
    },
  ),
  json("training trainingJobs.get writing", "a finished job is running again", /status/, (job, { memory }) => {
    if (job["status"] !== "completed" && job["status"] !== "failed") return;
    const times = Number(memory.get("times") ?? 0) + 1;
    memory.set("times", times);
    if (times % 2 === 0) job["status"] = "running";
  }),
  resent("training models.create 409 writing", "a second model of the same name is accepted", /409/, ({ body }) => ({
    body: { ...body, return_existing: true },
  })),
  json("auxiliary hardware.list", "a second request returns other ids", /ids/, (answer, { memory }) => {
    const times = Number(memory.get("times") ?? 0) + 1;
    memory.set("times", times);
    for (const item of items(answer, "hardware")) item["id"] = `${String(item["id"])}-${times}`;
  }),
  json("training models.create writing", "a created model has another name", /`name`/, (model) => {
    model["name"] = String(model["name"]).toUpperCase();
  }),
  json("training trainingJobs.get writing", "a completed job has a failure reason", /error_message/, (job) => {
    if (job["status"] === "completed") job["error_message"] = "It did not.";
  }),
  json("training trainingJobs.get writing", "a training ended before it started", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = "2020-01-01T00:00:00Z";
  }),
  json(
    "training trainingJobs.events.list writing",
    "the last event contradicts the status of the job",
    /training_failed|training_ended/,
    (page) => {
      for (const event of items(page)) {
        if (event["type"] !== "training_ended") continue;
        event["type"] = "training_failed";
        event["data"] = { error_message: "It failed." };
      }
    },
  ),
  raw(
    "training models.checkpoints.delete 409 writing",
    "the newest checkpoint can be deleted",
    /409|newest/,
    (answer) => {
      answer.status = 200;
      answer.text = JSON.stringify({ deleted_count: 1, not_found_steps: [7] });
    },
  ),
  json(
    "training models.checkpoints.delete writing",
    "a deletion counts checkpoints that did not exist",
    /steps|not_found/,
    (answer) => {
      answer["not_found_steps"] = [];
    },
  ),
  json("inference models.list writing", "a new model is not listed among the available models", /available/, (list) => {
    list["data"] = items(list).filter(({ id }) => !String(id).includes("verify-"));
  }),
  raw(
    "training trainingJobs.get any writing",
    "the jobs of a deleted model are deleted",
    /readable/,
    (answer, { memory, url }) => {
      const times = Number(memory.get(url.pathname) ?? 0) + 1;
      memory.set(url.pathname, times);
      if (times < 3 || !answer.text.includes('"status":"failed"')) return;
      answer.status = 404;
      answer.text = JSON.stringify({ detail: "There is no such job." });
    },
  ),
  // Differences in statistics.
  json("auxiliary feedback.stats", "the counts of the buckets do not add up", /count|bucket/, (stats) => {
    for (const bucket of items(stats, "buckets")) bucket["count"] = Number(bucket["count"]) + 1;
  }),
  json("auxiliary feedback.stats", "a bucket is missing", /bucket/, (stats) => {
    stats["buckets"] = items(stats, "buckets").filter((_, index) => index !== 1);
  }),
  json("auxiliary feedback.stats", "the end of the window is another", /`end`/, (stats) => {
    stats["end"] = "2026-11-06T00:00:00Z";
  }),
  json("auxiliary feedback.stats", "the times of the window are not in UTC", /UTC/, (stats) => {
    stats["start"] = String(stats["start"]).replace("00:00:00Z", "01:00:00+01:00");
  }),
  resent("auxiliary feedback.stats", "the requested time zone is ignored", /timezone|time zone/, ({ body }) => ({
    body: { ...body, timezone: "UTC" },
  })),
  json("auxiliary feedback.stats", "percentiles are missing", /p\d+/, (stats) => {
    for (const bucket of items(stats, "buckets"))
      for (const name of Object.keys(bucket)) if (/^p\d/.test(name)) delete bucket[name];
  }),
  json(
    "auxiliary feedback.stats",
    "the sum of the window differs from the sum of its buckets",
    /window/,
    ({ window_stats: window }) => {
      for (const stats of Object.values(isObject(window) ? window : {}))
        if (isObject(stats) && typeof stats["sum"] === "number") stats["sum"] += 1;
    },
  ),
  resent("auxiliary feedback.stats", "the requested bucket size is ignored", /granularity/, ({ body }) =>
    body["granularity"] ? { body: { ...body, granularity: 0 } } : undefined,
  ),
  // Differences in versioned objects.
  resent("auxiliary objects.read", "metadata_only returns the value", /val/, ({ body }) =>
    body["metadata_only"] === true ? { body: { ...body, metadata_only: false } } : undefined,
  ),
  json("auxiliary objects.read", "tags are returned although the request does not include them", /tags/, ({ obj }) => {
    if (isObject(obj)) obj["tags"] = ["a"];
  }),
  json("auxiliary objects.read", "another version of an object is returned", /version_index/, ({ obj }) => {
    if (isObject(obj)) obj["version_index"] = Number(obj["version_index"]) + 1;
  }),
];
