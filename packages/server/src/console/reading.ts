import { isChoice, type MessageOrChoice, type Trajectory, type TrajectoryGroup } from "@trainyard/training";
import { Fingerprint } from "./fingerprint.ts";
import { flagBits } from "./flags.ts";

/** A message whose members may be anything: schemas are open, so `tool_calls` of a user are not validated. */
interface Loose {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The names and the arguments of the calls in a message, as text. */
export function callsOf({ tool_calls: calls }: Loose): { name: string; input: string }[] {
  return listOf(calls).map((call) => {
    const { type, custom, function: called } = Object(call);
    const { name, arguments: given, input = given } = Object(type === "custom" ? custom : called);
    return { name: stringOf(name), input: stringOf(input) };
  });
}

/**
 * The text of a message's content, which is a string or a list of parts.
 *
 * @param other what stands for a part without text; by default its type
 */
export function textOf(content: unknown, other?: string): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => {
      const { text, refusal, type } = Object(part);
      return stringOf(text ?? refusal ?? other ?? `[${stringOf(type)}]`);
    })
    .join("\n");
}

/** How many steps older than the newest a policy may be. */
export const oldestPolicy = 2;

/** What is read of an attempt with a trajectory. */
export interface ReadAttempt {
  readonly reward: number;
  /** The number of tokens; null for a choice without its tokens, because they are never estimated. */
  readonly tokens: number | null;
  readonly turns: number;
  readonly calls: number;
  readonly finish: string | null;
  /** The steps of the model when the attempt began and ended. */
  readonly initial: number | null;
  readonly final: number | null;
  /** When it began, in milliseconds. */
  readonly started: number | null;
  /** The number of its log lines. */
  readonly lines: number;
  /** The whole last answer of the model. */
  readonly answer: string;
  readonly lastCall: string;
  /** The same for attempts in which the model said and called the same; null if it said nothing. */
  readonly said: number | null;
}

/**
 * Tells which entries of a conversation are answers of the model: its choices. If a program logged none, what it wrote as
 * messages of the assistant are.
 */
function answersIn(entries: readonly MessageOrChoice[]): (entry: MessageOrChoice) => boolean {
  return entries.some(isChoice) ? isChoice : (entry) => !isChoice(entry) && entry.role === "assistant";
}

/** Reads an attempt, and adds it to the fingerprint of its group. */
export function readAttempt(trajectory: Trajectory, print: Fingerprint): ReadAttempt {
  const { messages_and_choices: entries = [], reward: given, logs = [], start_time: start } = trajectory;
  const said = new Fingerprint();
  const isAnswer = answersIn(entries);
  let tokens: number | null = 0;
  let logprobs = 0;
  let turns = 0;
  let calls = 0;
  let finish: string | null = null;
  let answer = "";
  let lastCall = "";
  for (const entry of entries) {
    const message: Loose = isChoice(entry) ? entry.message : entry;
    const text = textOf(message.content);
    print.addText(stringOf(message.role));
    print.addText(text);
    if (isAnswer(entry)) said.addText(text);
    for (const { name, input } of callsOf(message)) {
      calls++;
      lastCall = name;
      print.addText(name);
      print.addText(input);
      said.addText(name);
      said.addText(input);
    }
    if (!isAnswer(entry)) continue;
    turns++;
    if (text !== "") answer = text;
    if (isChoice(entry)) finish = entry.finish_reason;
    const content = isChoice(entry) ? entry.logprobs?.content : undefined;
    if (!content) tokens = null;
    else {
      if (tokens !== null) tokens += content.length;
      for (const { logprob } of content) logprobs += logprob;
    }
  }
  const reward = finiteOr(given, 0);
  print.addNumber(entries.length);
  print.addNumber(reward);
  print.addNumber(logprobs);
  const isKnown = turns > 0 && tokens !== null;
  return {
    reward,
    tokens: isKnown ? tokens : null,
    turns,
    calls,
    finish,
    initial: finiteOr(trajectory.initial_policy_version, null),
    final: finiteOr(trajectory.final_policy_version, null),
    started: finiteOr(start === undefined ? null : Date.parse(start), null),
    lines: logs.length,
    answer,
    lastCall,
    said: turns > 0 ? said.value : null,
  };
}

/** The flags of each attempt that do not depend on its step. */
export function marksOf(attempts: readonly ReadAttempt[]): number[] {
  const answers = new Map<string, number>();
  for (const { answer } of attempts) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  return attempts.map(
    ({ finish, answer }) =>
      (finish === "length" ? flagBits.cut : 0) |
      (answer !== "" && (answers.get(answer) ?? 0) >= 3 ? flagBits["same-answer"] : 0),
  );
}

/** The type of an exception. */
export function typeOf({ type }: { readonly type: string }): string {
  return type === "" ? "Exception" : type;
}

/** The task of a group: its label in the metadata, or a digest of the messages before the first choice; and its name. */
export function taskOf({ metadata = {}, trajectories }: TrajectoryGroup): { task: string; name: string } {
  const label = ["task", "task_id", "id", "scenario_id"]
    .map((key) => metadata[key])
    .find((value) => typeof value === "string" || typeof value === "number");
  if (label !== undefined && label !== "") return { task: String(label), name: String(label) };
  let before: readonly Loose[] = [];
  for (const { messages_and_choices: entries = [] } of trajectories) {
    const first = entries.findIndex(answersIn(entries));
    before = entries.slice(0, first < 0 ? undefined : first);
    if (before.length > 0) break;
  }
  const last = before.findLast(({ role }) => role === "user") ?? before.at(-1);
  const name = beginningOf(textOf(last?.content), 48);
  return {
    task: digestOf(JSON.stringify(before.map(({ role, content }) => [role, content]))),
    name: name === "" ? "no name" : name,
  };
}

/** The beginning of a text, on one line, without half a character at its end. */
export function beginningOf(text: string, length: number): string {
  let line = text.slice(0, length);
  // Most texts contain nothing to remove, and checking is faster than rewriting.
  if (/^\s|\s\s|[^\S ]/.test(line)) line = text.slice(0, length * 2).replaceAll(/\s+/g, " ");
  line = line.trim().slice(0, length);
  const last = line.charCodeAt(line.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? line.slice(0, -1) : line;
}

/** A number of a body. JSON can write numbers that are too large for one. */
function finiteOr<T>(value: number | null | undefined, other: T): number | T {
  return typeof value === "number" && Number.isFinite(value) ? value : other;
}

/** A digest of 64 bits: FNV-1a of UTF-16, twice with another start, because a page has no digest that answers at once. */
function digestOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The step of the model that made an attempt, as far as it is known. */
export function policyOf({ initial, final }: ReadAttempt): number | null {
  return final ?? initial;
}
