import type {
  Choice,
  MessageOrChoice,
  RequestToolCall,
  ResponseToolCall,
  Trajectory,
  TrajectoryException,
} from "@trainyard/training";
import { flagBits } from "./flags.ts";

/** What the rows of an attempt have. */
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
  /** The beginning of the last answer, on one line. */
  readonly preview: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly metadata: object;
  /** Those that do not depend on its step. */
  flags: number;
}

/** An attempt with a trajectory, and what only its group needs. */
export interface ReadAttempt {
  readonly facts: AttemptFacts & { readonly reward: number };
  /** The whole last answer of the model. */
  readonly answer: string;
  /** A text that is the same for the same attempt in a log and in a job. */
  readonly identity: string;
}

const previewLength = 120;
/** How much of each text identifies it, beside its length: a digest of all texts would take longer than the rest. */
const sampleLength = 32;

/** Reads an attempt that has a trajectory. */
export function readAttempt(trajectory: Trajectory): ReadAttempt {
  const { messages_and_choices: entries = [], metadata = {} } = trajectory;
  let conversation = "";
  let tokens: number | null = 0;
  let logprobs = 0;
  let turns = 0;
  let calls = 0;
  let finish: string | null = null;
  let answer = "";
  let lastCall = "";
  for (const entry of entries) {
    const message = isChoice(entry) ? entry.message : entry;
    const text = textOf(message.content);
    conversation += `\0${message.role}\0${text.length}\0${text.slice(-sampleLength)}`;
    for (const call of ("tool_calls" in message && message.tool_calls) || []) {
      const { name, input } = readCall(call);
      calls++;
      lastCall = name;
      conversation += `\0${name}\0${input.length}\0${input.slice(-sampleLength)}`;
    }
    if (!isChoice(entry)) continue;
    turns++;
    finish = entry.finish_reason;
    if (text !== "") answer = text;
    const content = entry.logprobs?.content;
    if (!content) tokens = null;
    else {
      if (tokens !== null) tokens += content.length;
      for (const { logprob } of content) logprobs += logprob;
    }
  }
  const reward = finiteOr(trajectory.reward, 0);
  const facts = {
    reward,
    tokens: turns === 0 ? null : tokens,
    turns,
    calls,
    finish,
    exception: null,
    policy: finiteOr(trajectory.final_policy_version, null),
    preview: beginningOf(answer === "" && lastCall !== "" ? `${lastCall}(…)` : answer),
    metrics: metricsOf(trajectory.metrics),
    metadata,
    flags: finish === "length" ? flagBits.cut : 0,
  };
  return { facts, answer, identity: `${reward} ${logprobs}${conversation}` };
}

/** Reads an exception: an attempt without a trajectory. */
export function readException({ type, message }: TrajectoryException): AttemptFacts {
  const name = type === "" ? "Exception" : type;
  return {
    reward: null,
    tokens: null,
    turns: 0,
    calls: 0,
    finish: null,
    policy: null,
    metrics: {},
    metadata: {},
    exception: name,
    flags: flagBits.exception,
    preview: beginningOf(message === "" ? name : `${name}: ${message}`),
  };
}

/** The name and the arguments of a call, as text. A call of an unknown kind has neither. */
function readCall(call: RequestToolCall | ResponseToolCall): { name: string; input: string } {
  if ("custom" in call) return call.custom;
  return "function" in call ? { name: call.function.name, input: call.function.arguments } : { name: "", input: "" };
}

/** Whether an entry of a conversation is an answer of the model. */
export function isChoice(entry: MessageOrChoice): entry is Choice {
  return "message" in entry;
}

/** The text of a message's content, which is a string or a list of parts. */
export function textOf(content: Exclude<MessageOrChoice, Choice>["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((part) => ("text" in part ? part.text : "refusal" in part ? part.refusal : `[${part.type}]`))
    .join("\n");
}

/** Metrics as numbers. */
export function metricsOf(given: Trajectory["metrics"] = {}): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const [name, one] of Object.entries(given)) {
    const value = Number(one);
    if (!Number.isFinite(value)) continue;
    // Assigning this name would set the prototype.
    if (name === "__proto__") Object.defineProperty(metrics, name, { value, enumerable: true });
    else metrics[name] = value;
  }
  return metrics;
}

/** A number of a body. JSON can write numbers that are too large for one. */
function finiteOr<T>(value: number | null | undefined, other: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? value : other;
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
