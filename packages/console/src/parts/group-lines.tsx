/** @jsxImportSource preact */
import type { GroupSummary, RewardRange } from "../api/answers.ts";
import { reward } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { Flags } from "./flags.tsx";
import { Strip } from "./strip.tsx";

export interface GroupLinesProps {
  readonly run: string;
  readonly groups: readonly GroupSummary[];
  readonly range: RewardRange;
  /** How many cells a strip has at most. */
  readonly most?: number;
  /** The selected group. */
  readonly at?: number;
}

/** Groups, each with its rewards and flags. */
export function GroupLines({ run, groups, range, most, at }: GroupLinesProps) {
  return (
    <ul class="groups">
      {groups.map((group, place) => (
        <li key={group.id}>
          <a href={hrefOf(["runs", run, "groups", group.id])} class={place === at ? "on" : ""}>
            <span class="name">
              {group.name}
              <small>
                <Flags flags={group.flags} />
                {group.flags.every((flag) => flag === "trained") && `std ${reward(group.sd)}`}
              </small>
            </span>
            <Strip {...group} range={range} most={most} />
            <span class="num">{reward(group.mean)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
