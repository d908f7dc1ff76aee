import { isObject } from "@trainyard/core/validation";
import { textOf } from "../../text.ts";
import { bodyOf, echo, notEmpty, notNegative, objectsIn, unixTime, type Row, type Rows } from "./rule.ts";

/** The rules of chat, in training and in inference. */
export const chat: Rows<"audio" | "chat" | "choice" | "choices" | "chunk" | "completion" | "finish" | "usage"> = {
  "usage-sum": (total, { prompt_tokens: prompt, completion_tokens: completion }) =>
    Number(prompt) + Number(completion) === total
      ? undefined
      : `${Number(total)} for ${Number(prompt)} and ${Number(completion)}`,
  "usage-prompt": notNegative,
  "usage-completion": notNegative,
  "completion-created": unixTime,
  "chunk-created": unixTime,
  "audio-expires": unixTime,
  "choices-count": {
    performed: (choices, _, seen) => {
      const { n } = bodyOf(seen);
      const wanted = Number.isInteger(n) ? Number(n) : 1;
      const { length } = objectsIn(choices);
      return length === wanted ? undefined : `${length} choices for n ${wanted}`;
    },
  },
  "choices-unchanged": (choices) => {
    const indexes = objectsIn(choices).map(({ index }) => Number(index));
    return indexes.toSorted((a, b) => a - b).every((index, at) => index === at)
      ? undefined
      : `choices with the indexes ${indexes.join(", ")}`;
  },
  "choice-index": notNegative,
  "finish-reason": (reason, { message }, seen) => {
    const calls = isObject(message) ? objectsIn(message["tool_calls"]) : [];
    if (reason === "tool_calls" && calls.length === 0) return "`tool_calls` without a call";
    const { max_tokens: most, max_completion_tokens: limit } = bodyOf(seen);
    // Without a limit in the request, the model's own limit may apply.
    const isEmpty = !seen.answer.isExample && [most, limit].includes(0);
    return reason === "length" && isEmpty ? "`length` for an empty answer" : undefined;
  },
  "chat-stream": { tried: "as a stream" },
  "chat-model": { unchecked: "which models a service has is its own affair" },
  "chat-model-name": { unchecked: "which models a service has is its own affair" },
  "chat-model-scheme": { unchecked: "which models a service has is its own affair" },
  "chat-choice": { unchecked: "`choices-unchanged` checks the choices, and no run puts them into a trajectory" },
  "chat-retry": { unchecked: "no response says what a call costs" },
  "chat-alias": { unchecked: "a run checks only that the alias exists" },
};

/** The rules of errors and of invalid requests. */
export const errors: Rows<"cursor" | "detail" | "fault" | "faults" | "reason"> = {
  "faults-listed": (_, { detail }) => {
    if (!Array.isArray(detail)) return "no `detail`";
    if (detail.length === 0) return "no fault in `detail`";
    const faults = detail.filter(isObject).map(({ loc, type }) => JSON.stringify([loc, type]));
    return new Set(faults).size === faults.length ? undefined : "the same fault twice";
  },
  "fault-location": (loc) => {
    const [source] = Array.isArray(loc) ? loc : [];
    return ["body", "query", "path", "header"].includes(String(source)) ? undefined : `loc ${JSON.stringify(loc)}`;
  },
  "fault-more-properties": { unchecked: "it is a permission: its undeclared properties are not reported" },
  "detail-sentence": notEmpty,
  "reason-sentence": notEmpty,
  "cursor-unknown": { tried: "after an id that never existed" },
};

const list = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);

const onlyIfIncluded: Row = {
  performed: (value, _, seen) => {
    const wanted = bodyOf(seen)["include_tags_and_aliases"] === true;
    const there = list(value) !== undefined;
    if (there === wanted) return undefined;
    return there ? "a list, although the request does not include it" : "null, for `include_tags_and_aliases: true`";
  },
};

/** The rules of objects, and of hardware. */
export const objects: Rows<"hardware" | "object" | "price"> = {
  "object-project": echo("project_id"),
  "object-id": echo("object_id"),
  "object-metadata-only": {
    performed: (value, _, seen) =>
      bodyOf(seen)["metadata_only"] !== true || (isObject(value) && Object.keys(value).length === 0)
        ? undefined
        : "`val` with a value, for `metadata_only: true`",
  },
  "object-tags-null": onlyIfIncluded,
  "object-aliases-null": onlyIfIncluded,
  "object-tags-sorted": (tags) => {
    const all = (list(tags) ?? []).map(String);
    return JSON.stringify(all) === JSON.stringify(all.toSorted()) ? undefined : all.join(", ");
  },
  "object-aliases-latest": (aliases, { is_latest: newest }) => {
    const [first, ...others] = list(aliases) ?? [];
    if (first === undefined) return undefined;
    const fits = newest === 1 ? first === "latest" : first !== "latest" && !others.includes("latest");
    return fits ? undefined : `is_latest ${String(newest)}, and the aliases begin with ${textOf(first)}`;
  },
  "object-newest": {
    performed: (newest, _, seen) =>
      bodyOf(seen)["digest"] === "latest" && newest !== 1 ? `${String(newest)}, read as \`latest\`` : undefined,
  },
  "object-version": {
    performed: (index, { aliases }, seen) => {
      const digest = String(bodyOf(seen)["digest"]);
      const wanted = Number(/^v(\d+)$/.exec(digest)?.[1] ?? index);
      if (Number(index) < 0) return String(index);
      // A version that does not exist yet may be the alias of an earlier one.
      const isAlias = Number(index) < wanted && (list(aliases)?.includes(digest) ?? true);
      return wanted === index || isAlias ? undefined : `${String(index)}, read as ${digest}`;
    },
  },
  "object-deleted": {
    performed: (deleted) => (typeof deleted === "string" ? "a time, for a version that was read" : undefined),
  },
  "object-credentials": { tried: "with basicKey" },
  "object-version-once": { unchecked: "no operation adds or deletes a version" },
  "object-digest": { unchecked: "a run does not know an object whose versions have aliases like `v3`" },
  "object-digest-order": { unchecked: "a run does not know an object whose versions have aliases like `v3`" },
  "object-project-name": { unchecked: "a run has the key of one entity" },
  "hardware-unknown-model": { unchecked: "a run does not know which models a service does not know" },
  "price-decimals": { unchecked: "it is a permission" },
};
