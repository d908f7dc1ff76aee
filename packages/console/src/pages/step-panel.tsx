/** @jsxImportSource preact */
import type { Curve, GroupSummary } from "@trainyard/local";
import type { JSX } from "preact";
import { count, reward } from "../format/format.ts";
import { GroupLines } from "../parts/group-lines.tsx";
import { Icon } from "../parts/icons.tsx";
import { Scale } from "../parts/strip.tsx";
import { change, hrefOf } from "../state/address.ts";

export interface StepPanelProps {
  readonly run: string;
  readonly step: number;
  readonly split: string;
  readonly splits: readonly string[];
  readonly curve: Curve;
  readonly groups: readonly GroupSummary[];
  readonly total: number;
  readonly at: number;
  readonly onMove: (by: number) => void;
}

/** The groups of a step, flagged ones first. */
export function StepPanel({ run, step, split, splits, curve, groups, total, at, onMove }: StepPanelProps): JSX.Element {
  const place = curve.step.indexOf(step);
  const [n, exceptions] = [curve.n[place] ?? 0, curve.exceptions[place] ?? 0];
  return (
    <section class="card step-panel" aria-labelledby="step">
      <header>
        <h2 id="step">Groups of a step</h2>
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
        <div class="end step">
          <button
            type="button"
            class="button icon"
            aria-label="Previous step"
            disabled={place <= 0}
            onClick={() => onMove(-1)}
          >
            <Icon name="before" size={14} />
          </button>
          <output>{step}</output>
          <button
            type="button"
            class="button icon"
            aria-label="Next step"
            disabled={place >= curve.step.length - 1}
            onClick={() => onMove(1)}
          >
            <Icon name="after" size={14} />
          </button>
        </div>
      </header>
      <dl class="sum">
        <div>
          <dt>Attempts</dt>
          <dd>{count(n + exceptions)}</dd>
        </div>
        <div>
          <dt>Reward</dt>
          <dd>{reward(curve.mean[place], 3)}</dd>
        </div>
        <div>
          <dt>Group std</dt>
          <dd>± {reward(curve.sd[place])}</dd>
        </div>
        <div>
          <dt>Exceptions</dt>
          <dd>{count(exceptions)}</dd>
        </div>
      </dl>
      <GroupLines run={run} groups={groups} range={curve.range} at={at} />
      <p class="foot">
        <Scale range={curve.range} />
        <a href={hrefOf(["runs", run, "groups"], { step, split, sort: "flagged" })}>All {count(total)} groups</a>
      </p>
    </section>
  );
}
