/** @jsxImportSource preact */
import type { RunKeys } from "../api/answers.ts";
import { change } from "../state/address.ts";

/** The orders of attempts. */
export const sorts: Readonly<Record<string, string>> = {
  "-step": "newest first",
  step: "oldest first",
  "-reward": "highest reward",
  reward: "lowest reward",
  "-advantage": "highest advantage",
  advantage: "lowest advantage",
  "-tokens": "longest",
  tokens: "shortest",
  "-turns": "most turns",
  "-tool_calls": "most tool calls",
};

interface PartProps {
  /** The query parameter. */
  readonly name: string;
  readonly label?: string;
  /** The address, which has the value. */
  readonly query: URLSearchParams;
}

const set = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) =>
  change({ [name]: event.currentTarget.value, at: undefined });

export interface FieldProps extends PartProps {
  readonly hint?: string;
  readonly size?: number;
}

/** A part of a filter that is typed. */
export function Field({ name, label = name, query, hint = "", size = 7 }: FieldProps) {
  return (
    <label>
      {label} <input size={size} placeholder={hint} value={query.get(name) ?? ""} onChange={set(name)} />
    </label>
  );
}

export interface ChoiceProps extends PartProps {
  /** The values and their labels, in order; or values that are their labels, after one that stands for all of them. */
  readonly options: readonly string[] | Readonly<Record<string, string>>;
}

/** A part of a filter with few values. */
export function Choice({ name, label = name, query, options }: ChoiceProps) {
  const all = Array.isArray(options) ? [["", "all"], ...options.map((one) => [one, one])] : Object.entries(options);
  return (
    <label>
      {label}{" "}
      <select value={query.get(name) ?? all[0]?.[0]} onChange={set(name)}>
        {all.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A value as a condition that means this text alone, whatever it contains. */
export function exactly(value: unknown): string {
  const text = String(value);
  return typeof value === "string" && /^[!"]|\.\.|^$/.test(text) ? JSON.stringify(text) : text;
}

/** `3 values` */
export function countOf({ values, more }: RunKeys["metadata"][number]): string {
  return `${values}${more ? "+" : ""} value${values === 1 ? "" : "s"}`;
}
