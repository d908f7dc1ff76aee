/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { small } from "../format/format.ts";
import { Lazy } from "../parts/card.tsx";
import { extent, linear, linePath, type Values } from "./scale.ts";
import { Svg, useWidth } from "./svg.tsx";
import { Table } from "./table.tsx";

export interface SparkProps {
  readonly label: string;
  readonly values: Values;
  readonly width: number;
  readonly height: number;
  /** The values at the bottom and at the top. */
  readonly range: readonly [low: number, high: number];
  /** The value that has a dot. */
  readonly at: number;
}

/** A small line through values. */
export function Spark({ label, values, width, height, range: [low, high], at }: SparkProps) {
  const x = linear([0, Math.max(1, values.length - 1)], [3, Math.max(4, width - 5)]);
  const y = linear([low, high === low ? low + 1 : high], [height - 5, 5]);
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const path = linePath(values, x, y);
  return (
    <Svg class="spark" width={width} height={height} label={label}>
      {from >= 0 && <path class="area" opacity={0.12} d={`${path}L${x(to)},${height}L${x(from)},${height}Z`} />}
      <path class="line" d={path} />
      {values[at] != null && <circle class="dot on" cx={x(at)} cy={y(values[at])} r={3} />}
    </Svg>
  );
}

export interface MiniChartProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly step: readonly number[];
  readonly values: Values;
  /** The place of the value that is shown as text. */
  readonly at: number;
  readonly write?: (value: number | null) => string;
  readonly isWarning?: boolean;
  /** The median number of tokens of an answer, for a figure in nats a token. */
  readonly tokens?: Values;
}

/** One figure by step: its newest value and its history. The pointer selects another step. */
export function MiniChart({ label, note, step, values, at, write = small, isWarning = false, tokens }: MiniChartProps) {
  const { ref, width } = useWidth();
  const [hovered, hover] = useState<number>();
  const shown = hovered ?? at;
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const textAt = (at: number) => `${write(values[at] ?? null)} at step ${step[at]}`;
  const description = from < 0 ? ": no values yet" : ` by step: from ${textAt(from)} to ${textAt(to)}`;
  const ofAnswer = (at: number) => {
    const [value, count] = [values[at], tokens?.[at]];
    return value == null || count == null ? null : value * count;
  };
  const onPointerMove = ({ offsetX }: PointerEvent) =>
    hover(Math.max(0, Math.min(values.length - 1, Math.round((offsetX / width) * (values.length - 1)))));
  const hint = `step ${step[shown]}${tokens === undefined ? "" : `, ${small(ofAnswer(shown))} nats an answer`}`;
  return (
    <div class={isWarning ? "mini alarm" : "mini"}>
      <h3>{label}</h3>
      <p class="now">
        {write(values[shown] ?? null)}{" "}
        {(hovered !== undefined || note) && <small>{hovered === undefined ? note : hint}</small>}
      </p>
      <div class="draw" ref={ref} onPointerMove={onPointerMove} onPointerLeave={() => hover(undefined)}>
        <Spark
          label={label + description}
          width={width}
          height={58}
          range={extent(values)}
          values={values}
          at={shown}
        />
      </div>
      {tokens !== undefined && (
        <Lazy class="as-table" title="As a table">
          {() => (
            <Table
              label={`${label} as a table`}
              columns={["Step", "Nats a token", "Nats an answer"]}
              isNumber={() => true}
              rows={step.map((one, place) => [one, write(values[place] ?? null), small(ofAnswer(place))])}
            />
          )}
        </Lazy>
      )}
    </div>
  );
}
