/** @jsxImportSource preact */
import type { JSX } from "preact";
import { extent, linear, linePath } from "./scale.ts";
import { useWidth } from "./use-width.ts";

export interface MiniChartProps {
  readonly label: string;
  /** The newest value as text. */
  readonly now: string;
  readonly note?: string | undefined;
  readonly step: readonly number[];
  readonly values: readonly (number | null)[];
  /** Formats a value for the sentence. */
  readonly write: (value: number | null) => string;
  readonly isWarning?: boolean | undefined;
  /** The selected step of the page. */
  readonly current?: number | undefined;
}

const height = 58;

/** One figure by step: its newest value and its history. */
export function MiniChart({ label, now, note, step, values, write, isWarning, current }: MiniChartProps): JSX.Element {
  const { ref, width } = useWidth();
  const last = Math.max(1, values.length - 1);
  const x = linear([0, last], [2, Math.max(4, width - 5)]);
  const [low, high] = extent(values);
  const y = linear([low, high === low ? low + 1 : high], [height - 7, 5]);
  const present = values.flatMap((value, at) => (value === null ? [] : [at]));
  const [from, to] = [present[0], present.at(-1)];
  const at = current === undefined ? (to ?? -1) : step.indexOf(current);
  const path = linePath(values, x, y);
  const description =
    from === undefined || to === undefined
      ? `${label}: no values yet`
      : `${label} by step: from ${write(values[from] ?? null)} at step ${step[from]} to ${write(values[to] ?? null)} at step ${step[to]}`;
  return (
    <div class={isWarning === true ? "mini warn" : "mini"}>
      <h3>{label}</h3>
      <p class="now">
        {now} {note !== undefined && <small>{note}</small>}
      </p>
      <div class="draw" ref={ref}>
        {width > 0 && (
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={description}>
            <line class="grid" x1={0} x2={width} y1={height - 1} y2={height - 1} />
            {from !== undefined && to !== undefined && (
              <>
                <path class="area" d={`${path}L${x(to)},${height}L${x(from)},${height}Z`} />
                <path class="line" d={path} />
              </>
            )}
            {values[at] != null && <circle class="dot on" cx={x(at)} cy={y(values[at] ?? 0)} r={3} />}
          </svg>
        )}
      </div>
    </div>
  );
}
