import { isObject } from "@trainyard/core/validation";
import { items, json, type SeedRow } from "../seed.ts";

/** Divergences that show only in several requests together: most are in models, jobs and checkpoints. */
export const training: readonly SeedRow[] = [
  {
    title: "the idempotency key is ignored",
    on: "training trainingJobs.createRl any writing",
    names: /Idempotency-Key/i,
    change: async (answer, { headers, forward }) => {
      if (!headers.has("idempotency-key")) return;
      const without = new Headers(headers);
      without.delete("idempotency-key");
      Object.assign(answer, await forward({ headers: without }));
    },
  },
  {
    title: "a job has the id of another job",
    on: "training trainingJobs.get writing",
    names: /id/,
    change: json((job) => void (job["id"] = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43")),
  },
  {
    title: "a deleted model still exists",
    on: "training models.delete any writing",
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
    title: "a finished job is running again",
    on: "training trainingJobs.get writing",
    names: /status/,
    change: json((job, { memory }) => {
      if (job["status"] !== "completed" && job["status"] !== "failed") return;
      const times = Number(memory.get("times") ?? 0) + 1;
      memory.set("times", times);
      if (times % 2 === 0) job["status"] = "running";
    }),
  },
  {
    title: "a second model of the same name is accepted",
    on: "training models.create 409 writing",
    names: /409/,
    change: async (answer, { body, forward }) => {
      if (isObject(body)) Object.assign(answer, await forward({ body: { ...body, return_existing: true } }));
    },
  },
  {
    title: "a second request returns other ids",
    on: "auxiliary hardware.list",
    names: /ids/,
    change: json((answer, { memory }) => {
      const times = Number(memory.get("times") ?? 0) + 1;
      memory.set("times", times);
      for (const item of items(answer, "hardware")) item["id"] = `${String(item["id"])}-${times}`;
    }),
  },
  {
    title: "a created model has another name",
    on: "training models.create writing",
    names: /`name`/,
    change: json((model) => void (model["name"] = String(model["name"]).toUpperCase())),
  },
  {
    title: "a completed job has a failure reason",
    on: "training trainingJobs.get writing",
    names: /error_message/,
    change: json((job) => {
      if (job["status"] === "completed") job["error_message"] = "It did not.";
    }),
  },
  {
    title: "a training ended before it started",
    on: "training trainingJobs.get writing",
    names: /training_end/,
    change: json((job) => {
      if (typeof job["training_end"] === "string") job["training_end"] = "2020-01-01T00:00:00Z";
    }),
  },
  {
    title: "the last event contradicts the status of the job",
    on: "training trainingJobs.events.list writing",
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
    title: "the newest checkpoint can be deleted",
    on: "training models.checkpoints.delete 409 writing",
    names: /409|newest/,
    change: (answer) => {
      answer.status = 200;
      answer.text = JSON.stringify({ deleted_count: 1, not_found_steps: [7] });
    },
  },
  {
    title: "a deletion counts checkpoints that did not exist",
    on: "training models.checkpoints.delete writing",
    names: /steps|not_found/,
    change: json((answer) => void (answer["not_found_steps"] = [])),
  },
  {
    title: "a new model is not listed among the available models",
    on: "inference models.list writing",
    names: /available/,
    change: json((list) => void (list["data"] = items(list).filter(({ id }) => !String(id).includes("verify-")))),
  },
  {
    title: "the jobs of a deleted model are deleted",
    on: "training trainingJobs.get any writing",
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
