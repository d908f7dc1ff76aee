import type { Attempt } from "@trainyard/local";
import type { Database, Row } from "../store/database.ts";
import { number } from "../store/row.ts";
import { fieldOf } from "./attempt-field.ts";
import { json, timeOf } from "./context.ts";
import { flagBits, flagsOf } from "./flags.ts";

/** Flags of a group that each of its attempts with a trajectory has. */
const ofGroup = flagBits.flat | flagBits.single | flagBits.trained | flagBits["not-logged"];

/** The bits of each attempt's flags: its own, and if it has a trajectory, those that its group has as a whole. */
export function bitsOf(group: Row): (place: number) => number {
  const [size, ofAll] = [number(group, "attempts"), number(group, "flags") & ofGroup];
  const marks = json<number[]>(group, "marks", []);
  return (place) => (marks[place] ?? 0) | (place < size ? ofAll : 0);
}

/** The attempts of a row of `groups`. */
export function attemptsOf(database: Database, group: Row, middle: number): Attempt[] {
  const numberAt = (name: string) => {
    const valueAt = fieldOf(database, name).at(group);
    return (place: number): number | null => {
      const value = valueAt(place);
      return typeof value === "number" ? value : null;
    };
  };
  const [reward, advantage, tokens] = [numberAt("reward"), numberAt("advantage"), numberAt("tokens")];
  const [turns, calls, lines] = [numberAt("turns"), numberAt("tool_calls"), numberAt("log_lines")];
  const [start, initial, final] = [numberAt("start"), numberAt("initial_policy"), numberAt("final_policy")];
  const [finishes, thrown] = [json<(string | null)[]>(group, "finishes", []), json<string[]>(group, "thrown", [])];
  const metrics = Object.entries(json<Record<string, (number | null)[]>>(group, "metrics", {}));
  const metadata = json<Attempt["metadata"][]>(group, "metadata", []);
  const [bitsAt, size] = [bitsOf(group), number(group, "attempts")];
  return json<string[]>(group, "previews", []).map((preview, place) => ({
    place,
    reward: reward(place),
    advantage: advantage(place),
    tokens: tokens(place),
    turns: turns(place) ?? 0,
    tool_calls: calls(place) ?? 0,
    finish: finishes[place] ?? null,
    exception: thrown[place - size] ?? null,
    flags: flagsOf(bitsAt(place), reward(place), middle),
    preview,
    metrics: Object.fromEntries(
      metrics.flatMap(([name, values]) => (values[place] == null ? [] : [[name, values[place]]])),
    ),
    metadata: metadata[place] ?? {},
    started_at: timeOf(start(place)),
    initial_policy: initial(place),
    final_policy: final(place),
    log_lines: lines(place) ?? 0,
  }));
}
