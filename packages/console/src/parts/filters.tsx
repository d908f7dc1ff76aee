/** @jsxImportSource preact */
import { change } from "../state/address.ts";

/** Values with their labels, in order. */
export type Options = readonly (readonly [value: string, label: string])[];

/** The orders of attempts. */
export const sorts: Options = [
  ["-step", "newest first"],
  ["step", "oldest first"],
  ["-reward", "highest reward"],
  ["reward", "lowest reward"],
  ["-advantage", "highest advantage"],
  ["advantage", "lowest advantage"],
  ["-tokens", "longest"],
  ["tokens", "shortest"],
  ["-turns", "most turns"],
  ["-tool_calls", "most tool calls"],
];

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

/** A part of a filter with few values. */
export function Choice({ name, label = name, query, options }: PartProps & { readonly options: Options }) {
  return (
    <label>
      {label}{" "}
      <select value={query.get(name) ?? options[0]?.[0]} onChange={set(name)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Options whose labels are their values. */
export function named(values: readonly string[]): Options {
  return values.map((value) => [value, value]);
}

/** A value as a condition that means this text alone, whatever it contains. */
export function exactly(value: unknown): string {
  const text = String(value);
  return typeof value === "string" && /^[!"]|\.\.|^$/.test(text) ? JSON.stringify(text) : text;
}
