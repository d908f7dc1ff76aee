/** @jsxImportSource preact */
import type { RunsRolloutsListQuery } from "@trainyard/local";
import { change } from "../state/address.ts";
import { Chip } from "./buttons.tsx";
import { anyOf, Choice } from "./choice.tsx";
import { flagNames, flagOptions, flagText } from "./flags.tsx";

type Filter = Omit<RunsRolloutsListQuery, "limit" | "offset" | "after">;

const ranges = ["step", "reward", "tokens", "tool_calls"] as const;
const texts = ["split", "task", "metric", "finish", "text"] as const;
const rangePattern = /^(-?\d+(\.\d+)?)?(\.\.(-?\d+(\.\d+)?)?)?$/;
const sorts: Readonly<Record<string, string>> = {
  "-step": "newest first",
  step: "oldest first",
  "-reward": "highest reward",
  reward: "lowest reward",
  "-tokens": "longest",
  tokens: "shortest",
  "-turns": "most turns",
  "-tool_calls": "most tool calls",
};

/** The filter of an address. Invalid values are ignored. */
export function filterOf(query: URLSearchParams): Filter {
  const found: Record<string, string> = {};
  for (const name of texts) {
    const value = query.get(name);
    if (value !== null && value !== "") found[name] = value;
  }
  if (found["metric"] !== undefined && !rangePattern.test(found["metric"].replace(/^.+:/, ""))) delete found["metric"];
  for (const name of ranges) {
    const value = query.get(name);
    if (value !== null && value !== "" && rangePattern.test(value)) found[name] = value;
  }
  const [flag, sort] = [query.get("flag"), query.get("sort")];
  if (flag !== null && flagNames.includes(flag)) found["flag"] = flag;
  if (sort !== null && sort in sorts) found["sort"] = sort;
  return found;
}

export interface RolloutFiltersProps {
  readonly query: URLSearchParams;
  readonly splits: readonly string[];
  readonly metrics: readonly string[];
}

/** The filter of attempts. The address has its values, and a click removes one. */
export function RolloutFilters({ query, splits, metrics }: RolloutFiltersProps) {
  const set = (name: string) => (value: string) => change({ [name]: value, at: undefined });
  const text = (name: string, label: string, hint: string, size = 7) => (
    <label key={name}>
      {label}{" "}
      <input
        size={size}
        placeholder={hint}
        value={query.get(name) ?? ""}
        onChange={(event) => set(name)(event.currentTarget.value)}
      />
    </label>
  );
  const chosen = [...query.keys()].filter((name) => name !== "at" && name !== "sort");
  return (
    <div class="filters" role="group" aria-label="Filter">
      {text("step", "step", "40..42")}
      {text("reward", "reward", "0.9..")}
      {text("tokens", "tokens", "400..")}
      {text("tool_calls", "tool calls", "0", 4)}
      {metrics.length > 0 && text("metric", "metric", `${metrics[0]}:0..0.5`, 12)}
      {text("task", "task", "", 10)}
      {text("text", "answer", "words", 10)}
      {splits.length > 1 && (
        <Choice label="split" value={query.get("split") ?? ""} options={anyOf(splits)} choose={set("split")} />
      )}
      <Choice label="noticed" value={query.get("flag") ?? ""} options={flagOptions} choose={set("flag")} />
      <Choice label="order" value={query.get("sort") ?? "-step"} options={Object.entries(sorts)} choose={set("sort")} />
      {chosen.map((name) => (
        <Chip
          key={name}
          name={name}
          text={name === "flag" ? flagText(query.get(name) ?? "") : `${name} ${query.get(name)}`}
        />
      ))}
    </div>
  );
}
