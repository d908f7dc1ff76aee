import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import type { Sentence } from "../sentences.ts";
import type { Exchange } from "../wire.ts";
import { twiceIn } from "./forms.ts";

const echo =
  (name: string): Sentence["breach"] =>
  (model, { body, operation }) => {
    const wanted = isObject(body) && operation?.method === "POST" ? body[name] : undefined;
    return typeof wanted !== "string" || model[name] === wanted ? undefined : `${String(model[name])} for ${wanted}`;
  };

const pages = ["CheckpointPage", "TrainingJobEventPage"].flatMap((schema): Sentence[] => {
  const edge =
    (name: string, at: number): Sentence["breach"] =>
    (page) => {
      const data = Array.isArray(page["data"]) ? page["data"] : [];
      const item: unknown = data.at(at);
      const id = isObject(item) ? item["id"] : "";
      return page[name] === undefined || page[name] === id
        ? undefined
        : `${textOf(page[name])}, where it is ${String(id) || "empty"}`;
    };
  return [
    { schema, property: "first_id", text: "The id of the first item of the page", breach: edge("first_id", 0) },
    { schema, property: "last_id", text: "The id of the last item of the page", breach: edge("last_id", -1) },
  ];
});

/** The jobs of each service so far: the last status of each, and the end that its events report. */
const jobs = new WeakMap<object, Map<string, { status?: string; end?: string }>>();

function jobOf({ service }: Exchange, id: string): { status?: string; end?: string } {
  const ofService = jobs.get(service) ?? new Map<string, { status?: string; end?: string }>();
  jobs.set(service, ofService);
  const job = ofService.get(id) ?? {};
  ofService.set(id, job);
  return job;
}

const ends: Readonly<Record<string, string>> = { completed: "training_ended", failed: "training_failed" };

/** The contradiction between a job's status and the end that its events report, if there is one. */
function disagreement({ status, end }: { status?: string; end?: string }): string | undefined {
  if (status === undefined || end === undefined) return undefined;
  return (ends[status] ?? end) === end ? undefined : `${end}, for a job that is ${status}`;
}

export const training: readonly Sentence[] = [
  {
    schema: "TrainingJob",
    property: "status",
    text: "`completed` or `failed`, which are final",
    performed: true,
    breach: ({ id, status }, exchange) => {
      if (typeof id !== "string" || typeof status !== "string") return undefined;
      const job = jobOf(exchange, id);
      const before = job.status;
      job.status = status;
      const isFinal = before === "completed" || before === "failed";
      if (isFinal && status !== before) return `${status} after ${before}`;
      return disagreement(job);
    },
  },
  {
    schema: "TrainingJobEvent",
    text: "The last event is `training_ended` or `training_failed`, exactly once",
    performed: true,
    breach: ({ type }, exchange) => {
      const id = exchange.path["training_job_id"];
      if (id === undefined || (type !== "training_ended" && type !== "training_failed")) return undefined;
      const job = jobOf(exchange, id);
      if (job.end !== undefined && job.end !== type) return `${type} after ${job.end}`;
      job.end = type;
      return disagreement(job);
    },
  },
  {
    schema: "TrainingJobEventPage",
    property: "data",
    text: "The events, oldest first.",
    performed: true,
    breach: ({ data, has_more: hasMore }, { sent }) => {
      const types = (Array.isArray(data) ? data : []).filter(isObject).map(({ type }) => String(type));
      const isFirst = !new URL(sent.url).searchParams.has("after");
      const started = types.lastIndexOf("training_started");
      if (started > 0 || (started === 0 && !isFirst)) return "`training_started` after other events";
      const end = types.findIndex((type) => type === "training_ended" || type === "training_failed");
      if (end >= 0 && (end < types.length - 1 || hasMore === true)) return `events after \`${types[end]}\``;
      return undefined;
    },
  },
  {
    schema: "Model",
    property: "project",
    text: "The project of the entity that the model belongs to.",
    performed: true,
    breach: echo("project"),
  },
  { schema: "Model", property: "name", text: "The name of the model", performed: true, breach: echo("name") },
  {
    schema: "Model",
    property: "base_model",
    text: "The model that training starts from",
    performed: true,
    breach: echo("base_model"),
  },
  {
    schema: "Model",
    property: "entity",
    text: "The entity (a team or a person) that owns the model.",
    performed: true,
    breach: echo("entity"),
  },
  ...pages,
  {
    schema: "CheckpointPage",
    property: "data",
    text: "The checkpoints, by step.",
    performed: true,
    breach: ({ data }, { sent }) => {
      const steps = (Array.isArray(data) ? data : []).filter(isObject).map(({ step }) => Number(step));
      const down = new URL(sent.url).searchParams.get("order") === "desc";
      const sorted = steps.toSorted((a, b) => (down ? b - a : a - b));
      return steps.every((step, index) => step === sorted[index])
        ? undefined
        : `steps in the order ${steps.join(", ")}`;
    },
  },
  {
    schema: "CheckpointPage",
    property: "data",
    text: "The checkpoints",
    breach: ({ data }) => {
      const steps = (Array.isArray(data) ? data : []).filter(isObject).map(({ step }) => String(step));
      const twice = twiceIn(steps);
      return twice === undefined ? undefined : `step ${twice} twice`;
    },
  },
  {
    schema: "DeletedModel",
    property: "model_id",
    text: "The id of the deleted model.",
    performed: true,
    breach: ({ model_id: id }, { path }) =>
      Object.values(path).includes(String(id)) ? undefined : `${String(id)}, another id`,
  },
  {
    schema: "DeletedCheckpoints",
    text: "What became of the steps that were to be deleted.",
    performed: true,
    breach: ({ deleted_count: deleted, not_found_steps: missing }, { body }) => {
      const steps = isObject(body) && Array.isArray(body["steps"]) ? new Set(body["steps"]).size : 0;
      const reported = Number(deleted) + (Array.isArray(missing) ? new Set(missing).size : 0);
      return reported === steps ? undefined : `${reported} of ${steps} steps`;
    },
  },
  {
    schema: "DeletedCheckpoints",
    property: "not_found_steps",
    text: "The steps of which there is no checkpoint.",
    performed: true,
    breach: ({ not_found_steps: missing }, { body }) => {
      const steps = isObject(body) && Array.isArray(body["steps"]) ? body["steps"] : [];
      const strange = (Array.isArray(missing) ? missing : []).filter((step) => !steps.includes(step));
      return strange.length === 0 ? undefined : `${strange.join(", ")}, which the request does not name`;
    },
  },
  {
    schema: "TrainingJob",
    property: "error_message",
    text: "null if it did not fail",
    performed: true,
    breach: ({ status, error_message: why }) => {
      if (status === "failed") return why === null || why === "" ? "a failed job without a reason" : undefined;
      return ["queued", "running", "completed"].includes(textOf(status)) && typeof why === "string"
        ? `a reason, for a job that is ${textOf(status)}`
        : undefined;
    },
  },
  {
    schema: "TrainingJob",
    property: "training_start",
    text: "null before",
    performed: true,
    breach: ({ status, training_start: start }) =>
      status === "running" && start === null ? "null, for a job that is running" : undefined,
  },
  {
    schema: "TrainingJob",
    property: "training_end",
    text: "null before",
    performed: true,
    breach: ({ status, training_start: start, training_end: end }) => {
      const isOver = status === "completed" || status === "failed";
      if ((status === "queued" || status === "running") && typeof end === "string")
        return `a time, for a job that is ${status}`;
      if (isOver && end === null) return `null, for a job that is ${status}`;
      return typeof start === "string" && typeof end === "string" && Date.parse(end) < Date.parse(start)
        ? "a time before `training_start`"
        : undefined;
    },
  },
  {
    schema: "SystemCheckPart",
    property: "error",
    text: "null if it passed",
    breach: ({ success, error }) =>
      success === true
        ? error === null
          ? undefined
          : "a reason, although the check passed"
        : error === null
          ? "null, although the check failed"
          : undefined,
  },
  {
    schema: "SystemCheck",
    text: "Whether each part of the service works.",
    breach: (check, { answer }) => {
      const failed = Object.entries(check).filter(([, part]) => isObject(part) && part["success"] === false);
      if (answer.status === 200 && failed.length > 0)
        return `200, although ${failed.map(([name]) => name).join(", ")} failed`;
      return answer.status === 503 && failed.length === 0 ? "503, although nothing failed" : undefined;
    },
  },
];
