/** @jsxImportSource preact */
import type { RunKeys } from "../api/answers.ts";
import { useState } from "preact/hooks";
import type { Query } from "../api/read.ts";
import { change, valuesOf } from "../state/address.ts";
import { exactly } from "./filters.tsx";
import { flagTexts } from "./flags.tsx";

/** What conditions are about, beside `metadata.<key>` and `metric.<name>`. */
const words: Readonly<Record<string, string>> = {
  step: "step=40..42",
  split: "split=val",
  task: 'task~"part of its name"',
  reward: "reward<0.2",
  advantage: "advantage>1",
  tokens: "tokens>=400",
  turns: "turns=1",
  tool_calls: "tool_calls=0",
  log_lines: "log_lines>0",
  finish: "finish=length",
  exception: "exception=ToolTimeout",
  flag: "flag=cut",
  start: "start=2026-11-03..2026-11-04",
  initial_policy: "initial_policy=8",
  final_policy: "final_policy=8",
};

const two = "These work: reward<0.2 finish=length";

/** Reads a line of conditions, and words that a text has. Throws an error that names the word that cannot be read. */
export function readLine(line: string): Query {
  const query: Record<string, string[]> = {};
  const texts: string[] = [];
  const parts = line.matchAll(/([\w.-]+)(!=|<=|>=|[<>=~])("(?:[^"\\]|\\.)*"|[^\s"]+)|-?"[^"]*"|\S+/g);
  for (const [word, name, sign = "", value = ""] of parts) {
    if (name === undefined) {
      if (/[<>=~]/.test(word) && !word.startsWith('"')) throw new Error(`${word} cannot be read. ${two}`);
      texts.push(word);
      continue;
    }
    if (!(name in words) && !/^(metadata|metric)\../.test(name))
      throw new Error(`${word}: no attempt has ${name}. ${two}`);
    if (sign === "~" && name !== "task") throw new Error(`${word}: only task~"part of its name" has ~. ${two}`);
    if (/[<>]/.test(sign) && !/^-?[\d.]+(e[+-]?\d+)?$/i.test(value))
      throw new Error(`${word}: ${value} is no number. ${two}`);
    const plain = sign === "~" || sign === "!=" || sign === "=" ? value : sign + value;
    const text = plain.startsWith('"') ? exactly(unquoted(plain, word)) : plain;
    (query[sign === "~" ? "q" : name] ??= []).push(sign === "!=" ? `!${text}` : text);
  }
  return texts.length === 0 ? query : { ...query, text: texts.join(" ") };
}

function unquoted(text: string, word: string): string {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${word}: the text in quotation marks cannot be read; write \\\\ for \\. ${two}`);
  }
}

/** The conditions of an address as a line. */
export function writeLine(query: Readonly<Record<string, readonly string[]>>): string {
  const written = Object.entries(query).flatMap(([name, values]) =>
    values.map((value) => {
      if (name === "text" || value === "") return value;
      const [not, rest] = value.startsWith("!") ? ["!", value.slice(1)] : ["", value];
      const text = /^".*"$|^[^\s"]+$/s.test(rest) ? rest : JSON.stringify(rest);
      if (name === "q") return `task~${JSON.stringify(value)}`;
      return /^[<>]/.test(rest) ? `${name}${rest}` : `${name}${not}=${text}`;
    }),
  );
  return written.filter(Boolean).join(" ");
}

export interface QueryLineProps {
  /** The address, which has the conditions. */
  readonly query: URLSearchParams;
  readonly keys: RunKeys | undefined;
}

/** One line in which attempts are asked for, with its words in the help. */
export function QueryLine({ query, keys }: QueryLineProps) {
  const now = valuesOf(query, ["at", "sort"]);
  const [fault, setFault] = useState("");
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    try {
      const line = new FormData(event.currentTarget).get("query");
      const none = Object.fromEntries(Object.keys(now).map((name) => [name, undefined]));
      change({ ...none, ...readLine(typeof line === "string" ? line : ""), at: undefined });
      setFault("");
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const examples = [
    ...Object.values(words),
    ...(keys?.metadata ?? []).map(({ name, top }) => writeLine({ [`metadata.${name}`]: [exactly(top[0] ?? "..")] })),
    ...(keys?.metrics ?? []).map((name) => `metric.${name}>0.5`),
  ];
  return (
    <form class="query" onSubmit={submit}>
      <label>
        Attempts with{" "}
        <input
          key={writeLine(now)}
          name="query"
          placeholder='reward<0.2 finish=length task~"refund"'
          defaultValue={writeLine(now)}
        />
      </label>
      <button type="submit" class="button">
        Show
      </button>
      <details>
        <summary>Words</summary>
        <p>
          Conditions that must all hold, with =, !=, &lt;, &lt;=, &gt; or &gt;=, and words of the text: refund "two
          words" -not.
        </p>
        <p>{examples.join(" · ")}</p>
        <p>
          flag is one of{" "}
          {Object.entries(flagTexts)
            .map(([flag, text]) => `${flag} (${text})`)
            .join(", ")}
          .
        </p>
      </details>
      {fault !== "" && <p role="alert">{fault}</p>}
    </form>
  );
}
