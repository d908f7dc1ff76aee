import type { Attempt } from "@trainyard/local";
import type { Row } from "../store/database.ts";
import { number, numberOrNull } from "../store/row.ts";
import { json } from "./context.ts";
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
export function attemptsOf(group: Row, middle: number): Attempt[] {
  const [mean, sd, size] = [numberOrNull(group, "mean"), numberOrNull(group, "sd"), number(group, "attempts")];
  const list = <T>(column: string): T[] => json<T[]>(group, column, []);
  const [rewards, tokens, turns] = [list<number>("rewards"), list<number | null>("tokens"), list<number>("turns")];
  const [calls, finishes, thrown] = [list<number>("calls"), list<string | null>("finishes"), list<string>("thrown")];
  const metrics = Object.entries(json<Record<string, (number | null)[]>>(group, "metrics", {}));
  const bitsAt = bitsOf(group);
  return list<string>("previews").map((preview, place) => {
    const reward = rewards[place] ?? null;
    return {
      place,
      reward,
      // How far the reward is above the group's mean, in standard deviations of the group.
      advantage:
        reward === null || mean === null || sd === null || size < 2 ? null : sd === 0 ? 0 : (reward - mean) / sd,
      tokens: tokens[place] ?? null,
      turns: turns[place] ?? 0,
      tool_calls: calls[place] ?? 0,
      finish: finishes[place] ?? null,
      exception: thrown[place - size] ?? null,
      flags: flagsOf(bitsAt(place), reward, middle),
      preview,
      metrics: Object.fromEntries(
        metrics.flatMap(([name, values]) => (values[place] == null ? [] : [[name, values[place]]])),
      ),
    };
  });
}
