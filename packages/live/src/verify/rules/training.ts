import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import { echo, eachOnce, objectsIn, unixTime, type Check, type Row, type Rows } from "./rule.ts";

const edge =
  (at: 0 | -1): Check =>
  (id, { data }) => {
    const item = Array.isArray(data) ? data.at(at) : undefined;
    const wanted: unknown = isObject(item) ? item["id"] : "";
    return id === undefined || id === wanted ? undefined : `${textOf(id)}, where it is ${String(wanted) || "empty"}`;
  };

const ends: Readonly<Record<string, string>> = { completed: "training_ended", failed: "training_failed" };

/** The contradiction between a job's status and the end that its events report, if there is one. */
function disagreement({ status, end }: { status?: string; end?: string }): string | undefined {
  if (status === undefined || end === undefined) return undefined;
  return (ends[status] ?? end) === end ? undefined : `${end}, for a job that is ${status}`;
}

const time: Row = { unchecked: "it is about time, and a run sees a moment" };
const retried: Row = { tried: "flow verify, step create-it-with-the-same-key" };
const logged: Row = { tried: "flow logging, step read-metrics" };
const trainer: Row = { unchecked: "no response says how a model was trained" };
const request: Row = { unchecked: "it says what a request means" };

/** The rules of training jobs and their events. */
export const jobs: Rows<"config" | "ended" | "events" | "job" | "metrics" | "reward" | "rl" | "sft"> = {
  "job-status": {
    performed: (status, { id }, { operation }, state) => {
      // A repeated creation may return its first response again.
      if (operation?.method !== "GET" || typeof id !== "string" || typeof status !== "string") return undefined;
      const job = state.job(id);
      const before = job.status;
      job.status = status;
      const isFinal = before === "completed" || before === "failed";
      if (isFinal && status !== before) return `${status} after ${before}`;
      return disagreement(job);
    },
  },
  "job-error": {
    performed: (why, { status }) => {
      if (status === "failed") return why === null || why === "" ? "a failed job without a reason" : undefined;
      return ["queued", "running", "completed"].includes(textOf(status)) && typeof why === "string"
        ? `a reason, for a job that is ${textOf(status)}`
        : undefined;
    },
  },
  "job-start": {
    performed: (start, { status }) =>
      status === "running" && start === null ? "null, for a job that is running" : undefined,
  },
  "job-end": {
    performed: (end, { status, training_start: start }) => {
      const isOver = status === "completed" || status === "failed";
      if ((status === "queued" || status === "running") && typeof end === "string")
        return `a time, for a job that is ${status}`;
      if (isOver && end === null) return `null, for a job that is ${status}`;
      return typeof start === "string" && typeof end === "string" && Date.parse(end) < Date.parse(start)
        ? "a time before `training_start`"
        : undefined;
    },
  },
  "events-end": {
    performed: (_, { type }, { path }, state) => {
      const id = path["training_job_id"];
      if (id === undefined || (type !== "training_ended" && type !== "training_failed")) return undefined;
      const job = state.job(id);
      if (job.end !== undefined && job.end !== type) return `${type} after ${job.end}`;
      job.end = type;
      return disagreement(job);
    },
  },
  "events-order": {
    performed: (data, { has_more: hasMore }, { sent }) => {
      const types = objectsIn(data).map(({ type }) => String(type));
      const isFirst = !new URL(sent.url).searchParams.has("after");
      const started = types.lastIndexOf("training_started");
      if (started > 0 || (started === 0 && !isFirst)) return "`training_started` after other events";
      const end = types.findIndex((type) => type === "training_ended" || type === "training_failed");
      if (end >= 0 && (end < types.length - 1 || hasMore === true)) return `events after \`${types[end]}\``;
      return undefined;
    },
  },
  "events-first-id": edge(0),
  "events-last-id": edge(-1),
  "events-pages": { tried: "one at a time" },
  "events-same": { tried: "flow training, step list-events-behind-the-first" },
  "job-id-uuid": { tried: "with a text that is not an id" },
  "job-state": { tried: "flow verify, step read-it-again" },
  "job-model-deleted": { tried: "flow verify, step read-its-job" },
  "job-checkpoint": { tried: "flow training, step list-checkpoints" },
  "rl-no-groups": { tried: "flow verify, step read-it-again" },
  "rl-retry": { tried: "flow verify, step create-the-job-with-the-same-key" },
  "rl-groups": trainer,
  "rl-jobs-order": time,
  "sft-create-again": { tried: "flow training, step create-it-again" },
  "sft-failed-again": { unchecked: "a run does not know data that a job fails on" },
  "sft-jobs-order": time,
  "sft-conversations": trainer,
  "sft-data-address": request,
  "sft-data-scheme": request,
  "ended-checkpoint": { unchecked: "it is about the local server" },
  "config-tiny-model": { unchecked: "it is about the local server" },
  "reward-differences": trainer,
  "metrics-averaged": logged,
  "metrics-reserved": { tried: "flow logging, step log-a-reserved-name" },
};

/** The rules of models, their checkpoints and logs, and of the service's health. */
export const models: Rows<
  | "base"
  | "checkpoint"
  | "checkpoints"
  | "create"
  | "deleted"
  | "health"
  | "listed"
  | "log"
  | "model"
  | "models"
  | "run"
  | "system"
> = {
  "model-project": echo("project"),
  "model-name": echo("name"),
  "model-base": echo("base_model"),
  "model-entity": echo("entity"),
  "model-id-uuid": { tried: "with a text that is not an id" },
  "model-name-unique": { tried: "flow verify, step take-its-name" },
  "model-create-again": { tried: "flow verify, step ask-for-the-existing" },
  "model-create-retry": retried,
  "model-first-checkpoint": { tried: "flow verify, step find-the-untrained" },
  "model-delete-all": { tried: "flow verify, step list-what-is-gone" },
  "model-delete-jobs": { tried: "flow verify, step read-its-events" },
  "model-delete-again": { tried: "flow verify, step delete-it-again" },
  "models-listed": { tried: "after models.create" },
  "listed-model-created": unixTime,
  "base-models-once": eachOnce,
  "create-name-unique": { tried: "flow verify, step take-its-name" },
  "create-name-characters": { unchecked: "a run tries the same rule of `project`" },
  "create-project-characters": { tried: "with a value that does not match the pattern at `project`" },
  "create-entity-default": { unchecked: "no response says which entity a key has" },
  "create-base-model": { unchecked: "it is a permission" },
  "checkpoints-order": {
    performed: (data, _, { sent }) => {
      const steps = objectsIn(data).map(({ step }) => Number(step));
      const sign = new URL(sent.url).searchParams.get("order") === "desc" ? -1 : 1;
      return steps.every((step, at) => at === 0 || (step - (steps[at - 1] ?? 0)) * sign > 0)
        ? undefined
        : `steps in the order ${steps.join(", ")}`;
    },
  },
  "checkpoints-first-id": edge(0),
  "checkpoints-last-id": edge(-1),
  "checkpoints-pages": { tried: "one at a time" },
  "checkpoints-cursor": { tried: "after an id that never existed" },
  "checkpoints-delete-again": { tried: "flow verify, step delete-an-unknown-step" },
  "checkpoints-delete-newest": { tried: "flow verify, step delete-the-newest-checkpoint" },
  "checkpoint-step-once": time,
  "checkpoint-log-metrics": logged,
  "deleted-model": {
    performed: (id, _, { path }) =>
      Object.values(path).includes(String(id)) ? undefined : `${String(id)}, another id`,
  },
  "deleted-checkpoints": {
    performed: (_, { deleted_count: deleted, not_found_steps: missing }, { body }) => {
      const steps = isObject(body) && Array.isArray(body["steps"]) ? new Set(body["steps"]).size : 0;
      const reported = Number(deleted) + (Array.isArray(missing) ? new Set(missing).size : 0);
      return reported === steps ? undefined : `${reported} of ${steps} steps`;
    },
  },
  "deleted-steps-missing": {
    performed: (missing, _, { body }) => {
      const steps = isObject(body) && Array.isArray(body["steps"]) ? body["steps"] : [];
      const strange = (Array.isArray(missing) ? missing : []).filter((step) => !steps.includes(step));
      return strange.length === 0 ? undefined : `${strange.join(", ")}, which the request does not name`;
    },
  },
  "log-metrics": logged,
  "log-newest-checkpoint": logged,
  "log-split": logged,
  "log-no-groups": { unchecked: "no flow logs nothing" },
  "log-response": { unchecked: "the response may be any JSON" },
  "log-retry": { unchecked: "no flow sends a log twice" },
  "health-alone": { unchecked: "no response says what was checked" },
  "health-key": { tried: "without a key" },
  "system-check-parts": { unchecked: "no response says what was checked" },
  "system-check-seconds": { unchecked: "no response says how long a check took" },
  "system-check-key": { tried: "without a key" },
  "system-check-retry": { unchecked: "it is about clients" },
  "system-check-error": (error, { success }) =>
    success === true
      ? error === null
        ? undefined
        : "a reason, although the check passed"
      : error === null
        ? "null, although the check failed"
        : undefined,
  "system-check-status": (_, check, { answer }) => {
    const failed = Object.entries(check).filter(([, part]) => isObject(part) && part["success"] === false);
    if (answer.status === 200 && failed.length > 0)
      return `200, although ${failed.map(([name]) => name).join(", ")} failed`;
    return answer.status === 503 && failed.length === 0 ? "503, although nothing failed" : undefined;
  },
  "run-metrics-once": eachOnce,
  "run-data-once": eachOnce,
};
