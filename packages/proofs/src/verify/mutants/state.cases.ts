import { isObject } from "@trainyard/core/validation";
import { each, items, json, raw, resent, type Mutant, type Received } from "../mutant.ts";

const checkpoints = "training models.checkpoints.list writing";
const creation = "training models.create writing";
const deletion = "training models.delete writing";
const removal = "training models.checkpoints.delete writing";
const job = "training trainingJobs.get writing";
const events = "training trainingJobs.events.list writing";

/** How often this was counted, with this time. */
function count({ memory }: Pick<Received, "memory">, what = "times"): number {
  const times = Number(memory.get(what) ?? 0) + 1;
  memory.set(what, times);
  return times;
}

/** What shows only over several calls: models, their checkpoints and jobs. */
export const state: readonly Mutant[] = [
  resent(
    "training trainingJobs.createRl any writing",
    "the idempotency key is ignored",
    /Idempotency-Key/i,
    ({ headers }) => (headers.has("idempotency-key") ? { headers: { "idempotency-key": undefined } } : undefined),
  ),
  json(job, "a job has the id of another job", /id/, { id: "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43" }),
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
  json(job, "a finished job is running again", /status/, (job, request) => {
    const hasEnded = job["status"] === "completed" || job["status"] === "failed";
    if (hasEnded && count(request) % 2 === 0) job["status"] = "running";
  }),
  resent("training models.create 409 writing", "a second model of the same name is accepted", /409/, ({ body }) => ({
    body: { ...body, return_existing: true },
  })),
  json("auxiliary hardware.list", "a second request returns other ids", /ids/, (answer, request) => {
    const times = count(request);
    for (const item of items(answer, "hardware")) item["id"] = `${String(item["id"])}-${times}`;
  }),
  raw("inference models.retrieve", "a listed model is not found", /finds each item/, (answer) => {
    answer.status = 404;
    answer.text = JSON.stringify({
      error: { message: "There is no such model.", type: null, param: "model", code: "model_not_found" },
    });
  }),
  json(creation, "a created model has another name", /`name`/, { name: (name) => String(name).toUpperCase() }),
  json(job, "a completed job has a failure reason", /error_message/, (job) => {
    if (job["status"] === "completed") job["error_message"] = "It did not.";
  }),
  json(job, "a training ended before it started", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = "2020-01-01T00:00:00Z";
  }),
  json(events, "the last event contradicts the status of the job", /training_failed|training_ended/, (page) => {
    for (const event of items(page)) {
      if (event["type"] !== "training_ended") continue;
      event["type"] = "training_failed";
      event["data"] = { error_message: "It failed." };
    }
  }),
  raw("training models.checkpoints.delete 409 writing", "the newest checkpoint can be deleted", /409|newest/, {
    status: 200,
    text: '{"deleted_count":1,"not_found_steps":[7]}',
  }),
  json(removal, "a deletion counts checkpoints that did not exist", /steps|not_found/, { not_found_steps: [] }),
  json("inference models.list writing", "a new model is not listed among the available models", /available/, (list) => {
    list["data"] = items(list).filter(({ id }) => !String(id).includes("verify-"));
  }),
  raw(
    "training trainingJobs.get any writing",
    "the jobs of a deleted model are deleted",
    /readable/,
    (answer, request) => {
      if (count(request, request.url.pathname) < 3 || !answer.text.includes('"status":"failed"')) return;
      answer.status = 404;
      answer.text = JSON.stringify({ detail: "There is no such job." });
    },
  ),
  json(deletion, "a deletion counts other checkpoints", /deleted_checkpoints/, {
    deleted_checkpoints: (one) => Number(one) + 1,
  }),
  json(creation, "the existing model is another", /first model/, (model, { body }) => {
    if (body["return_existing"] === true) model["id"] = crypto.randomUUID();
  }),
  json(deletion, "a deletion names another model", /model_id/, { model_id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f31" }),
  raw("training models.log any writing", "a log to a deleted model succeeds", /404/, (answer) => {
    if (answer.status !== 404) return;
    answer.status = 200;
    answer.text = '{"metrics": {}, "ignored_metrics": []}';
  }),
  raw("training trainingJobs.createRl any writing", "a job of a deleted model succeeds", /404/, (answer) => {
    if (answer.status !== 404) return;
    answer.status = 200;
    answer.text = JSON.stringify({ id: crypto.randomUUID(), status: "queued" });
  }),
  json(events, "a job ends twice", /last|after/, (page) => {
    const end = items(page).find(({ type }) => type === "training_ended");
    if (end === undefined) return;
    page["last_id"] = crypto.randomUUID();
    page["data"] = [...items(page), { ...end, id: page["last_id"] }];
  }),
  json(job, "a failed job does not say why", /error_message/, { error_message: null }),
  json(job, "a job has ended before its status says so", /training_end/, {
    training_end: (time) => time ?? "2100-01-01T00:00:00Z",
  }),
  json(job, "a job that has ended has not begun", /training_start/, (job) => {
    if (job["status"] === "completed") job["training_start"] = null;
  }),
  json(creation, "the project of a model is another", /project/, { project: "support-desk" }),
  json(creation, "the base model of a model is another", /base_model/, { base_model: "demo/other" }),
  json(checkpoints, "a new model has two checkpoints", /one checkpoint/, (page, { url }) => {
    if (items(page)[0]?.["step"] !== 0 || page["has_more"] === true || items(page).length > 1) return;
    page["has_more"] = url.searchParams.get("limit") === "1";
    if (page["has_more"] === false) page["data"] = [...items(page), { id: crypto.randomUUID(), step: 1, metrics: {} }];
  }),
  json(checkpoints, "a new model begins at step 1", /step/, each({ step: (step) => Number(step) + 1 })),
  json(checkpoints, "what was logged is missing", /newest checkpoint|metrics/, each({ metrics: {} })),
  json(checkpoints, "a completed job adds no checkpoint", /step|checkpoint/, (page) => {
    page["data"] = items(page).filter(({ step }) => step === 0);
  }),
  json(checkpoints, "the metrics of a log have no split", /val/, (page) => {
    for (const item of items(page))
      item["metrics"] = Object.fromEntries(
        Object.entries(Object(item["metrics"])).map(([name, one]) => [name.replace("val/", ""), one]),
      );
  }),
  raw(
    "training models.create 409 writing",
    "another body with the same key is accepted",
    /Idempotency-Key/,
    async (answer, { headers, body, forward }) => {
      if (headers.has("idempotency-key"))
        Object.assign(
          answer,
          await forward({ headers: { "idempotency-key": undefined }, body: { ...body, return_existing: true } }),
        );
    },
  ),
  json("training trainingJobs.createSft writing", "the same data give another job", /flow training/, {
    id: () => crypto.randomUUID(),
  }),
  json(removal, "a deletion names steps that the request does not", /not_found_steps/, {
    not_found_steps: (steps) => [...(steps as number[]), 41],
  }),
  json(checkpoints, "a metric of a log is no average", /correct/, (page) => {
    for (const { metrics } of items(page))
      if (isObject(metrics) && metrics["val/correct"] === 0.5) metrics["val/correct"] = 1;
  }),
];
