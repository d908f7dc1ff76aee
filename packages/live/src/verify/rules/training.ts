import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import type { RuleId } from "../../generated/rules.ts";
import {
  bodyOf,
  each,
  eachOnce,
  echo,
  list,
  notEmpty,
  notNegative,
  objectsIn,
  performed,
  unixTime,
  type AuxiliaryRule,
  type Check,
  type Row,
} from "./rule.ts";

const edge =
  (at: 0 | -1): Check =>
  (id, { data }) => {
    const item = list(data).at(at);
    const wanted: unknown = isObject(item) ? item["id"] : "";
    return id === undefined || id === wanted ? undefined : `${textOf(id)}, where it is ${String(wanted) || "empty"}`;
  };

const ends: Readonly<Record<string, string>> = { completed: "training_ended", failed: "training_failed" };

function disagreement({ status, end }: { status?: string; end?: string }): string | undefined {
  if (status === undefined || end === undefined) return undefined;
  return (ends[status] ?? end) === end ? undefined : `${end}, for a job that is ${status}`;
}

const notPositive: Check = (value) => (Number(value) > 0 ? String(value) : undefined);

const bytes: Check = (value) => {
  const odd = list(value).find((byte) => Number(byte) < 0 || Number(byte) > 255);
  return odd === undefined ? undefined : `the byte ${textOf(odd)}`;
};

const onlyIfAsked: Check = (value, _, seen) =>
  isObject(value) && bodyOf(seen)["logprobs"] !== true
    ? "log probabilities, although the request does not ask for them"
    : undefined;

const unsaid: Row = { unchecked: "no response says it" };
const logged: Row = { tried: "flow logging, step read-metrics" };
const request: Row = { unchecked: "it says what a request means" };

/** The rules of the other services: of chat, training jobs, models, and the service's health. */
export const training: Readonly<Record<Exclude<RuleId, AuxiliaryRule>, Row>> = {
  "usage-sum": (total, { prompt_tokens: prompt, completion_tokens: completion }) =>
    Number(prompt) + Number(completion) === total
      ? undefined
      : `${Number(total)} for ${Number(prompt)} and ${Number(completion)}`,
  ...each(notNegative, "usage-prompt", "usage-completion", "choice-index"),
  ...each(unixTime, "completion-created", "chunk-created", "audio-expires", "listed-model-created"),
  "audio-base64": (data) => (/^[\w+/-]*={0,2}$/.test(String(data)) ? undefined : "another text than base64"),
  "choices-count": performed((choices, _, seen) => {
    const { n } = bodyOf(seen);
    const wanted = Number.isInteger(n) ? Number(n) : 1;
    const { length } = objectsIn(choices);
    return length === wanted ? undefined : `${length} choices for n ${wanted}`;
  }),
  "choices-unchanged": (choices) => {
    const indexes = objectsIn(choices).map(({ index }) => Number(index));
    return indexes.toSorted((a, b) => a - b).every((index, at) => index === at)
      ? undefined
      : `choices with the indexes ${indexes.join(", ")}`;
  },
  "chunk-index": performed((index, _, seen) => {
    const n = Number(bodyOf(seen)["n"] ?? 1);
    return Number(index) >= 0 && Number(index) < n ? undefined : `${String(index)} for n ${n}`;
  }),
  "choice-logprobs": performed((value, choice, seen, state) => {
    const { message } = choice;
    const isMissing = !isObject(value) && bodyOf(seen)["logprobs"] === true && isObject(message) && message["content"];
    return isMissing ? "null, for `logprobs: true`" : onlyIfAsked(value, choice, seen, state);
  }),
  "chunk-logprobs": performed(onlyIfAsked),
  ...each(notPositive, "logprob-sign", "top-logprob-sign"),
  ...each(bytes, "token-bytes", "top-token-bytes"),
  "citation-stretch": (_, { start_index: start, end_index: end }) =>
    Number(start) >= 0 && Number(start) <= Number(end) ? undefined : `from ${Number(start)} to ${Number(end)}`,
  ...each({ unchecked: "it is a permission" }, "response-arguments", "create-base-model", "fault-more-properties"),
  ...each(request, "call-arguments", "image-address", "image-detail", "input-audio-base64", "file-base64"),
  ...each(request, "function-parameters", "function-strict", "sft-data-address", "sft-data-scheme"),
  "logprobs-top": performed((value, _, seen) => {
    const all = objectsIn(value).map(({ logprob }) => Number(logprob));
    const most = Number(bodyOf(seen)["top_logprobs"] ?? 0);
    if (all.length > most) return `${all.length} tokens for top_logprobs ${most}`;
    return all.every((one, at) => at === 0 || one <= (all[at - 1] ?? one)) ? undefined : all.join(", ");
  }),
  "finish-reason": (reason, { message }, seen) => {
    const calls = isObject(message) ? objectsIn(message["tool_calls"]) : [];
    if (reason === "tool_calls" && calls.length === 0) return "`tool_calls` without a call";
    if (reason === "stop" && calls.length > 0) return "`stop` for calls of tools";
    const { max_tokens: most, max_completion_tokens: limit } = bodyOf(seen);
    // Without a limit in the request, the model's own limit may apply.
    const isEmpty = !seen.answer.isExample && [most, limit].includes(0);
    return reason === "length" && isEmpty ? "`length` for an empty answer" : undefined;
  },
  "chat-stream": { tried: "as a stream" },
  ...each(
    { unchecked: "which models there are is the service's affair" },
    "chat-model",
    "chat-model-name",
    "chat-model-scheme",
  ),
  "chat-retry": { unchecked: "no response says what a call costs" },
  "chat-choice": { unchecked: "`choices-unchanged` checks the choices, and no run puts them into a trajectory" },
  "chat-alias": { unchecked: "a run checks only that the alias exists" },
  ...each(notEmpty, "detail-sentence", "fault-types", "listed-model-root"),
  "faults-listed": (_, { detail }) => {
    if (!Array.isArray(detail)) return "no `detail`";
    if (detail.length === 0) return "no fault in `detail`";
    const faults = detail.filter(isObject).map(({ loc, type }) => JSON.stringify([loc, type]));
    return new Set(faults).size === faults.length ? undefined : "the same fault twice";
  },
  "fault-location": (loc) => {
    const [source] = list(loc);
    return ["body", "query", "path", "header"].includes(String(source)) ? undefined : `loc ${JSON.stringify(loc)}`;
  },
  ...each({ tried: "after an id that never existed" }, "cursor-unknown", "checkpoints-cursor"),
  "job-status": performed((status, { id }, { operation }, state) => {
    // A repeated creation may return its first response again.
    if (operation?.method !== "GET" || typeof id !== "string" || typeof status !== "string") return undefined;
    const job = state.job(id);
    const before = job.status;
    job.status = status;
    const isFinal = before === "completed" || before === "failed";
    if (isFinal && status !== before) return `${status} after ${before}`;
    return disagreement(job);
  }),
  "job-error": performed((why, { status }) => {
    if (status === "failed") return why === null || why === "" ? "a failed job without a reason" : undefined;
    return ["queued", "running", "completed"].includes(textOf(status)) && typeof why === "string"
      ? `a reason, for a job that is ${textOf(status)}`
      : undefined;
  }),
  "job-start": performed((start, { status }) =>
    (status === "running" || status === "completed") && start === null
      ? `null, for a job that is ${status}`
      : undefined,
  ),
  "job-end": performed((end, { status, training_start: start }) => {
    const isOver = status === "completed" || status === "failed";
    if ((status === "queued" || status === "running") && typeof end === "string")
      return `a time, for a job that is ${status}`;
    if (isOver && end === null) return `null, for a job that is ${status}`;
    return typeof start === "string" && typeof end === "string" && Date.parse(end) < Date.parse(start)
      ? "a time before `training_start`"
      : undefined;
  }),
  "events-end": performed((_, { type }, { path }, state) => {
    const id = path["training_job_id"];
    if (id === undefined || (type !== "training_ended" && type !== "training_failed")) return undefined;
    const job = state.job(id);
    if (job.end !== undefined && job.end !== type) return `${type} after ${job.end}`;
    job.end = type;
    return disagreement(job);
  }),
  "events-order": performed((data, { has_more: hasMore }, { sent }) => {
    const types = objectsIn(data).map(({ type }) => String(type));
    const isFirst = !new URL(sent.url).searchParams.has("after");
    const started = types.lastIndexOf("training_started");
    if (started > 0 || (started === 0 && !isFirst)) return "`training_started` after other events";
    const end = types.findIndex((type) => type === "training_ended" || type === "training_failed");
    if (end >= 0 && (end < types.length - 1 || hasMore === true)) return `events after \`${types[end]}\``;
    return undefined;
  }),
  ...each(edge(0), "events-first-id", "checkpoints-first-id"),
  ...each(edge(-1), "events-last-id", "checkpoints-last-id"),
  ...each({ tried: "one at a time" }, "events-pages", "checkpoints-pages"),
  "events-same": { tried: "flow training, step list-events-behind-the-first" },
  ...each({ tried: "with a text that is not an id" }, "job-id-uuid", "model-id-uuid"),
  ...each({ tried: "flow verify, step read-it-again" }, "job-state", "rl-no-groups"),
  "job-model-deleted": { tried: "flow verify, step read-its-job" },
  "job-checkpoint": { tried: "flow training, step list-checkpoints" },
  "rl-retry": { tried: "flow verify, step create-the-job-with-the-same-key" },
  ...each(unsaid, "rl-groups", "sft-conversations", "reward-differences", "trajectory-choices", "trajectory-versions"),
  ...each(unsaid, "histories-reward", "metadata-untrained", "group-task", "create-entity-default"),
  ...each(unsaid, "health-alone", "system-check-parts", "system-check-seconds"),
  ...each({ unchecked: "a run sees a moment" }, "rl-jobs-order", "sft-jobs-order", "checkpoint-step-once"),
  "sft-create-again": { tried: "flow training, step create-it-again" },
  "sft-retry": { unchecked: "equal requests are joined without a key, too" },
  "sft-failed-again": { unchecked: "a run does not know data that a job fails on" },
  "ended-checkpoint": { unchecked: "it is about the local server" },
  ...each(logged, "metrics-averaged", "checkpoint-log-metrics", "log-metrics", "log-newest-checkpoint", "log-split"),
  "metrics-reserved": { tried: "flow logging, step read-what-is-averaged" },
  "model-project": echo("project"),
  "model-name": echo("name"),
  "model-base": echo("base_model"),
  "model-entity": echo("entity"),
  ...each({ tried: "flow verify, step take-its-name" }, "model-name-unique", "create-name-unique"),
  "model-create-again": { tried: "flow verify, step ask-for-the-existing" },
  "model-create-repeat": { tried: "flow verify, step create-it-with-the-same-key" },
  "model-first-checkpoint": { tried: "flow verify, step find-the-untrained" },
  "model-delete-all": { tried: "flow verify, step list-what-is-gone" },
  "model-delete-jobs": { tried: "flow verify, step read-its-events" },
  "model-delete-again": { tried: "flow verify, step delete-it-again" },
  "model-retrieved": { unchecked: "a service need not list every name that chat takes" },
  "models-listed": { tried: "after models.create" },
  "base-models-once": (names, of, seen, state) => {
    const odd = list(names).find((name) => !String(name).includes("/"));
    return odd === undefined ? eachOnce(names, of, seen, state) : textOf(odd);
  },
  "create-name-characters": { unchecked: "a run tries the same rule of `project`" },
  "create-project-characters": { tried: "with a value that does not match the pattern at `project`" },
  "checkpoints-order": performed((data, _, { sent }) => {
    const steps = objectsIn(data).map(({ step }) => Number(step));
    const sign = new URL(sent.url).searchParams.get("order") === "desc" ? -1 : 1;
    return steps.every((step, at) => at === 0 || (step - (steps[at - 1] ?? 0)) * sign > 0)
      ? undefined
      : `steps in the order ${steps.join(", ")}`;
  }),
  "checkpoints-delete-again": { tried: "flow verify, step delete-an-unknown-step" },
  "checkpoints-delete-newest": { tried: "flow verify, step delete-the-newest-checkpoint" },
  "deleted-model": performed((id, _, { path }) =>
    Object.values(path).includes(String(id)) ? undefined : `${String(id)}, another id`,
  ),
  "deleted-checkpoints": performed((_, { deleted_count: deleted, not_found_steps: missing }, seen) => {
    const steps = new Set(list(bodyOf(seen)["steps"])).size;
    const reported = Number(deleted) + new Set(list(missing)).size;
    return reported === steps ? undefined : `${reported} of ${steps} steps`;
  }),
  "deleted-steps-missing": performed((missing, _, seen) => {
    const steps = list(bodyOf(seen)["steps"]);
    const strange = list(missing).filter((step) => !steps.includes(step));
    return strange.length === 0 ? undefined : `${strange.join(", ")}, which the request does not name`;
  }),
  ...each({ unchecked: "no flow does it" }, "log-no-groups", "log-retry"),
  "log-response": { unchecked: "the response may be any JSON" },
  ...each({ tried: "without a key" }, "health-key", "system-check-key"),
  "system-check-retry": { unchecked: "it is about clients" },
  "system-check-error": (error, { success }) => {
    if (success === (error === null)) return undefined;
    return success === true ? "a reason, although the check passed" : "null, although the check failed";
  },
  "system-check-status": (_, check, { answer }) => {
    const failed = Object.entries(check).filter(([, part]) => isObject(part) && part["success"] === false);
    if (answer.status === 200 && failed.length > 0)
      return `200, although ${failed.map(([name]) => name).join(", ")} failed`;
    return answer.status === 503 && failed.length === 0 ? "503, although nothing failed" : undefined;
  },
};
