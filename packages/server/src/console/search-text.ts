import type { SearchHit } from "@trainyard/console";
import { isChoice, type MessageOrChoice, type TrajectoryGroup } from "@trainyard/training";
import { callsOf, textOf } from "./reading.ts";

/** What a search looks for, in lower case: words that must all occur, and words that must not. */
export interface Words {
  readonly all: readonly string[];
  readonly none: readonly string[];
  /** Whether a body may have an attempt with all words: most bodies need not be parsed. */
  readonly mayBeIn: (body: string) => boolean;
}

/** Reads a search: `refund "two words" -word`. */
export function wordsOf(search: string): Words {
  const [all, none]: [string[], string[]] = [[], []];
  for (const [, minus, quoted, plain = ""] of search.toLowerCase().matchAll(/(-?)"([^"]+)"|(\S+)/g)) {
    if (quoted !== undefined) (minus === "-" ? none : all).push(quoted);
    else if (/^-./.test(plain)) none.push(plain.slice(1));
    else all.push(plain.replace(/^"+(?=.)/, ""));
  }
  // JSON writes these characters as they are; where a program escaped them, everything is parsed.
  const written = all.flatMap((word) => word.match(/[a-z\d_]+/g) ?? []);
  return {
    all,
    none,
    mayBeIn(body) {
      const lower = body.toLowerCase();
      return written.every((one) => lower.includes(one)) || /\\u00[3-7]/.test(lower);
    },
  };
}

type Text = readonly [part: SearchHit["part"], text: string];

const inline = /data:[^,\s"']*;base64,[\w+/=-]+/g;
const before = 60;
const after = 100;

/** Tells of each place of a group whether its attempt has the words, and where the first of them is. */
export function finderIn(
  { trajectories, exceptions = [], logs = [] }: TrajectoryGroup,
  { all, none }: Words,
): (place: number) => (Pick<SearchHit, "part" | "excerpt"> & { readonly place: number }) | undefined {
  const shared = logs.map((line): Text => ["log", line]);
  return (place) => {
    if (all.length + none.length === 0) return { place, part: "message", excerpt: [] };
    const trajectory = trajectories[place];
    const exception = exceptions[place - trajectories.length];
    const texts: Text[] = [...shared];
    if (exception)
      texts.unshift(["exception", `${exception.type}: ${exception.message}`], ["exception", exception.traceback]);
    if (trajectory) {
      const { messages_and_choices: own = [], additional_histories: more = [], logs: lines = [] } = trajectory;
      const entries = [...own, ...more.flatMap((history) => history.messages_and_choices)];
      texts.unshift(...entries.flatMap(textsOf), ...lines.map((line): Text => ["log", line]));
    }
    const lower = texts.map(([, text]) => withoutData(text).toLowerCase());
    const has = (word: string) => lower.some((text) => text.includes(word));
    if (!all.every(has) || none.some(has)) return undefined;
    const [first = ""] = all;
    const found = lower.findIndex((text) => text.includes(first));
    const [part, text] = texts[found] ?? ["message", ""];
    const plain = withoutData(text);
    const at = lower[found]?.indexOf(first) ?? 0;
    const [from, to] = [Math.max(0, at - before), Math.min(plain.length, at + first.length + after)];
    const cut = (start: number, end: number) => plain.slice(start, end).replaceAll(/\s+/g, " ");
    return {
      place,
      part,
      excerpt: [
        (from > 0 ? "…" : "") + cut(from, at),
        cut(at, at + first.length),
        cut(at + first.length, to) + (to < plain.length ? "…" : ""),
      ],
    };
  };
}

/** Data that a message has as base64 are not text. */
function withoutData(text: string): string {
  return text.includes(";base64,") ? text.replaceAll(inline, "") : text;
}

/** What a message or a choice says. */
function textsOf(entry: MessageOrChoice): Text[] {
  const message = isChoice(entry) ? entry.message : entry;
  const { content, role, refusal, reasoning, reasoning_content: thought, function_call: call } = Object(message);
  const texts: Text[] = [[role === "tool" || role === "function" ? "tool" : "message", textOf(content, "")]];
  if (typeof refusal === "string") texts.push(["message", refusal]);
  for (const text of [reasoning, thought]) if (typeof text === "string") texts.push(["reasoning", text]);
  const calls = [...callsOf(message), ...(call ? callsOf({ tool_calls: [{ function: call }] }) : [])];
  for (const { name, input } of calls) texts.push(["tool", name], ["tool", input]);
  return texts;
}
