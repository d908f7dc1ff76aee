import { isObject } from "@trainyard/core/validation";

/** The facts of an attempt in the index. */
export interface AttemptFacts {
  /** Null for an attempt that ended in an exception. */
  readonly reward: number | null;
  /** The number of tokens of the model; null if a choice was logged without its tokens, because they are never estimated. */
  readonly tokens: number | null;
  /** The number of choices of the model. */
  readonly turns: number;
  readonly calls: number;
  /** The finish reason of the last choice. */
  readonly finish: string | null;
  /** The type of the exception. */
  readonly exception: string | null;
  /** The step of the model when the attempt ended. */
  readonly policy: number | null;
  /** The whole last answer of the model. */
  readonly answer: string;
  /** Its beginning, on one line. */
  readonly preview: string;
  readonly metrics: Readonly<Record<string, number>>;
  /** A text that is the same for the same attempt in a log and in a job. Empty for an exception. */
  readonly identity: string;
}

const previewLength = 120;

/**
 * Reads a trajectory. Parts that do not match the current contract, because an older version wrote them, are omitted
 * without an error.
 */
export function readAttempt(value: unknown): AttemptFacts {
  const trajectory = isObject(value) ? value : {};
  const messages = listOf(trajectory["messages_and_choices"]);
  let conversation = "";
  let tokens: number | null = 0;
  let logprobs = 0;
  let turns = 0;
  let calls = 0;
  let finish: string | null = null;
  let answer = "";
  let lastCall = "";
  for (const entry of messages) {
    if (!isObject(entry)) continue;
    const choice = isObject(entry["message"]) ? entry["message"] : undefined;
    const message = choice ?? entry;
    const text = textOf(message["content"]);
    conversation += `\0${String(message["role"])}\0${text}`;
    for (const call of listOf(message["tool_calls"])) {
      calls++;
      const { name, input } = readCall(call);
      lastCall = name;
      conversation += `\0${name}\0${input}`;
    }
    if (choice === undefined) continue;
    turns++;
    finish = typeof entry["finish_reason"] === "string" ? entry["finish_reason"] : null;
    if (text !== "") answer = text;
    const content = isObject(entry["logprobs"]) ? entry["logprobs"]["content"] : undefined;
    if (!Array.isArray(content)) tokens = null;
    else {
      if (tokens !== null) tokens += content.length;
      for (const token of content) logprobs += isObject(token) ? Number(token["logprob"]) : 0;
    }
  }
  const reward = numberOf(trajectory["reward"]) ?? 0;
  const metrics = metricsOf(trajectory["metrics"]);
  const measured = Object.keys(metrics)
    .toSorted()
    .map((name) => `${name},${metrics[name]}`)
    .join(" ");
  return {
    reward,
    tokens: turns === 0 ? null : tokens,
    turns,
    calls,
    finish,
    exception: null,
    policy: numberOf(trajectory["final_policy_version"]),
    answer,
    preview: beginningOf(answer === "" && lastCall !== "" ? `${lastCall}(…)` : answer),
    metrics,
    identity: `${reward} ${logprobs} ${measured}${conversation}`,
  };
}

/** Reads an exception: an attempt without a trajectory. */
export function readException(value: unknown): AttemptFacts {
  const { type, message } = isObject(value) ? value : {};
  const name = typeof type === "string" && type !== "" ? type : "Exception";
  const text = typeof message === "string" ? message : "";
  return {
    reward: null,
    tokens: null,
    turns: 0,
    calls: 0,
    finish: null,
    policy: null,
    answer: "",
    metrics: {},
    identity: "",
    exception: name,
    preview: beginningOf(text === "" ? name : `${name}: ${text}`),
  };
}

/** The text of a message's content, which is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  return listOf(content)
    .flatMap((part) => {
      if (!isObject(part)) return [];
      const { text, refusal, type } = part;
      if (typeof text === "string") return [text];
      return [typeof refusal === "string" ? refusal : `[${String(type)}]`];
    })
    .join("\n");
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The name and the arguments of a call, as text. */
function readCall(call: unknown): { name: string; input: string } {
  if (!isObject(call)) return { name: "", input: "" };
  const called = isObject(call["function"]) ? call["function"] : isObject(call["custom"]) ? call["custom"] : {};
  const { name, arguments: given, input = given } = called;
  return { name: typeof name === "string" ? name : "", input: typeof input === "string" ? input : "" };
}

function metricsOf(value: unknown): Record<string, number> {
  const metrics: Record<string, number> = {};
  if (!isObject(value)) return metrics;
  for (const [name, one] of Object.entries(value)) {
    const number = typeof one === "boolean" ? Number(one) : numberOf(one);
    if (number === null) continue;
    // Assigning this name would set the prototype.
    if (name === "__proto__") Object.defineProperty(metrics, name, { value: number, enumerable: true });
    else metrics[name] = number;
  }
  return metrics;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The beginning of a text, on one line, without half a character at its end. */
export function beginningOf(text: string, length: number = previewLength): string {
  // More than is shown, because the next step removes characters.
  let line = text.slice(0, length * 2);
  // Most texts contain nothing to remove, and checking is faster than rewriting.
  if (/\s\s|[^\S ]/.test(line)) line = line.replaceAll(/\s+/g, " ");
  line = line.trim().slice(0, length);
  return isHighHalf(line.charCodeAt(line.length - 1)) ? line.slice(0, -1) : line;
}

/** Whether a UTF-16 code unit is the first half of a character. */
function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
