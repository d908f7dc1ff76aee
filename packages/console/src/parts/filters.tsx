/** @jsxImportSource preact */
import type { Ask } from "../api/read.ts";
import { change } from "../state/address.ts";
import { flagNames } from "./flags.tsx";

type Filter = NonNullable<Ask<"/runs/{run_id}/rollouts">["query"]>;

const ranges = ["step", "reward", "tokens", "tool_calls"] as const;
const texts = ["split", "task", "metric", "finish", "text"] as const;
const rangePattern = /^(-?\d+(\.\d+)?)?(\.\.(-?\d+(\.\d+)?)?)?$/;
/** The orders of attempts. */
export const sorts: Readonly<Record<string, string>> = {
  "-step": "newest first",
  step: "oldest first",
  "-reward": "highest reward",
  reward: "lowest reward",
  "-tokens": "longest",
  tokens: "shortest",
  "-turns": "most turns",
  "-tool_calls": "most tool calls",
};

/** The filter of attempts in an address. Invalid values are ignored. */
export function filterOf(query: URLSearchParams): Filter {
  const isValid = (name: string, value: string): boolean =>
    (ranges.some((one) => one === name) && rangePattern.test(value)) ||
    (name === "metric" ? rangePattern.test(value.replace(/^.+:/, "")) : texts.some((one) => one === name)) ||
    (name === "flag" && flagNames.includes(value)) ||
    (name === "sort" && value in sorts);
  return Object.fromEntries([...query].filter(([name, value]) => value !== "" && isValid(name, value)));
}

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

/** A part of the filter, which a click removes from the address. */
export function Chip({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <button type="button" class="chip" onClick={() => change({ [name]: undefined, at: undefined })}>
      {text} <span class="visually-hidden">: remove</span>
      <span aria-hidden="true">×</span>
    </button>
  );
}
