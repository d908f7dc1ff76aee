/** @jsxImportSource preact */
import { count, reward } from "../format/format.ts";
import { Arrows } from "../parts/buttons.tsx";
import { Card, PairList } from "../parts/card.tsx";
import { Flags } from "../parts/flags.tsx";
import { Scale, Strip } from "../parts/strip.tsx";
import { change, hrefOf } from "../state/address.ts";
import type { Overview } from "./use-overview.ts";

/** The groups of a step, flagged ones first. */
export function StepPanel({ overview, at }: { readonly overview: Overview; readonly at: number }) {
  const { run, query, step, steps, split, splits, groups, groupTotal } = overview;
  const { data: curve } = overview.curve;
  if (curve === undefined || step === undefined || steps.length === 0) return null;
  const place = steps.indexOf(step);
  const before = overview.compared;
  const [n, exceptions] = [curve.n[place] ?? 0, curve.exceptions[place] ?? 0];
  const end = (
    <>
      {splits.length > 1 && (
        <select
          aria-label="Split"
          value={split}
          onChange={(event) => change({ split: event.currentTarget.value, step: undefined })}
        >
          {splits.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <Arrows
        what="step"
        before={place <= 0 ? undefined : () => overview.move(-1)}
        after={place >= steps.length - 1 ? undefined : () => overview.move(1)}
      >
        <output>{step}</output>
      </Arrows>
    </>
  );
  return (
    <Card id="step" title="Groups of a step" class="step-panel" end={end}>
      <PairList
        class="sum"
        pairs={[
          ["Attempts", count(n + exceptions)],
          ["Reward", reward(curve.mean[place], 3)],
          ["Group std", `± ${reward(curve.sd[place])}`],
          ["Exceptions", count(exceptions)],
        ]}
      />
      <ul class="groups">
        {groups.map((group, index) => (
          <li key={group.id}>
            <a href={hrefOf(["runs", run, "groups", group.id])} class={index === at ? "on" : ""}>
              <span class="name">
                {group.name}
                <small>
                  <Flags flags={group.flags} />
                  {group.flags.every((flag) => flag === "trained") && `std ${reward(group.sd)}`}
                </small>
              </span>
              <Strip {...group} range={curve.range} most={8} />
              <span class="num">{reward(group.mean)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="foot">
        <Scale range={curve.range} />
        {before !== undefined && (
          <a href={hrefOf(["compare"], { runs: `${run}@${before},${run}@${step}`, split })}>
            Compare with step {before}
          </a>
        )}
        {groupTotal > groups.length && (
          <a href={hrefOf(["runs", run], { ...Object.fromEntries(query), groups: "all" })}>
            All {count(groupTotal)} groups
          </a>
        )}
      </p>
    </Card>
  );
}
