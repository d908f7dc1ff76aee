/** @jsxImportSource preact */
import type { RunsRolloutsListQuery } from "@trainyard/local";
import type { JSX } from "preact";
import { change } from "../state/address.ts";
import { flagNames, flagText } from "./flags.tsx";

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

/** What an address asks for. What it says wrongly it does not say. */
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

/** The filter of attempts: what is chosen is the address, and a part of it goes by a click. */
export function RolloutFilters({ query, splits, metrics }: RolloutFiltersProps): JSX.Element {
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value, at: undefined });
  const text = (name: string, label: string, hint: string, size = 7) => (
    <label key={name}>
      {label} <input size={size} placeholder={hint} value={query.get(name) ?? ""} onChange={set(name)} />
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
      {text("text", "said", "words", 10)}
      {splits.length > 1 && (
        <label>
          split{" "}
          <select value={query.get("split") ?? ""} onChange={set("split")}>
            <option value="">all</option>
            {splits.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        noticed{" "}
        <select value={query.get("flag") ?? ""} onChange={set("flag")}>
          <option value="">anything</option>
          {flagNames.map((name) => (
            <option key={name} value={name}>
              {flagText(name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        order{" "}
        <select value={query.get("sort") ?? "-step"} onChange={set("sort")}>
          {Object.entries(sorts).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {chosen.map((name) => (
        <button key={name} type="button" class="chip" onClick={() => change({ [name]: undefined, at: undefined })}>
          {name === "flag" ? flagText(query.get(name) ?? "") : `${name} ${query.get(name)}`}{" "}
          <span class="visually-hidden">: remove</span>
          <span aria-hidden="true">×</span>
        </button>
      ))}
    </div>
  );
}
