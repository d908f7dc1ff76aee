/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import type { RewardRange, TaskValue } from "../api/answers.ts";
import { reward, small } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { extent, linear, linePath, rewardScale, ticks, type Values } from "./scale.ts";
import { Levels, Svg, useWidth } from "./svg.tsx";

interface SmallChartProps {
  readonly label: string;
  readonly values: Values;
  readonly height: number;
  /** The values at the bottom and at the top. */
  readonly range: readonly [low: number, high: number];
  /** The value that has a dot. */
  readonly at: number;
  /** A point for each value: then it stands at its step, with its rewards as dots and with scales. */
  readonly points?: readonly (Pick<TaskValue, "step" | "rewards"> & { readonly href: string })[];
}

/** A line through values. */
export function SmallChart({ label, values, height, range: [low, high], at, points }: SmallChartProps) {
  const { ref, width } = useWidth();
  const steps = points?.map(({ step }) => step) ?? values.map((_, place) => place);
  const first = steps[0] ?? 0;
  const ends = points === undefined ? [3, Math.max(4, width - 5)] : [46, Math.max(56, width - 14)];
  const place = linear([first, Math.max(steps.at(-1) ?? 0, first + 1)], [ends[0] ?? 0, ends[1] ?? 0]);
  const x = (index: number) => place(steps[index] ?? 0);
  const scaled = { low, high: high === low ? low + 1 : high };
  const y = rewardScale(scaled, points === undefined ? [height - 5, 5] : [height - 26, 10]);
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const path = linePath(values, x, y);
  return (
    <div class="spark" ref={ref}>
      <Svg width={width} height={height} label={label} {...(points && { role: "group" })}>
        {points && <Levels range={scaled} parts={2} y={y} left={36} right={width - 4} />}
        {from >= 0 && !points && (
          <path class="area" opacity={0.12} d={`${path}L${x(to)},${height}L${x(from)},${height}Z`} />
        )}
        <path class="line" d={path} />
        {points?.map(({ href, step, rewards }, index) => (
          <a key={href} href={href} aria-label={`Step ${step}: mean reward ${reward(values[index])}`}>
            {points.length <= 60 &&
              rewards.map((one, attempt) => (
                <circle key={attempt} class="attempt" opacity={0.35} cx={x(index)} cy={y(one)} r={2} />
              ))}
            {values[index] != null && index !== at && <circle class="dot" cx={x(index)} cy={y(values[index])} r={4} />}
            <rect fill="transparent" x={x(index) - 12} width={24} y={0} height={height - 22} />
          </a>
        ))}
        {values[at] != null && <circle class="dot on" cx={x(at)} cy={y(values[at])} r={points ? 5 : 3} />}
        {points &&
          ticks(points.length, 6).map((index) => (
            <text key={index} x={x(index)} y={height - 6} text-anchor="middle">
              {steps[index]}
            </text>
          ))}
      </Svg>
    </div>
  );
}

interface TaskChartProps extends Pick<SmallChartProps, "at"> {
  readonly run: string;
  readonly values: readonly Pick<TaskValue, "id" | "step" | "mean" | "rewards">[];
  readonly range: RewardRange;
}

/** The history of one task. Each point leads to its group. */
export function TaskChart({ run, values, range, at }: TaskChartProps) {
  return (
    <figure class="chart">
      <SmallChart
        label="Mean reward of this task by step"
        height={132}
        values={values.map(({ mean }) => mean)}
        range={[range.low, range.high]}
        at={at}
        points={values.map(({ id, ...value }) => ({ ...value, href: hrefOf(["runs", run, "groups", id]) }))}
      />
    </figure>
  );
}

export interface FigureProps extends Pick<SmallChartProps, "label" | "values" | "at"> {
  readonly note?: string | undefined;
  readonly step: readonly number[];
  readonly write?: (value: number | null) => string;
  readonly isWarning?: boolean;
  /** The median number of tokens of an answer, for a figure in nats a token. */
  readonly tokens?: Values;
}

/** One figure by step: the value at a place as text, and its history. The pointer selects another step. */
export function Figure({ label, note, step, values, at, write = small, isWarning = false, tokens }: FigureProps) {
  const [hovered, hover] = useState<number>();
  const shown = hovered ?? at;
  const [from, to] = [values.findIndex((one) => one !== null), values.findLastIndex((one) => one !== null)];
  const textAt = (place: number) => `${write(values[place] ?? null)} at step ${step[place]}`;
  const description = from < 0 ? ": no values yet" : ` by step: from ${textAt(from)} to ${textAt(to)}`;
  const ofAnswer = (place: number) => {
    const [value, length] = [values[place], tokens?.[place]];
    return value == null || length == null ? null : value * length;
  };
  const onPointerMove = ({ offsetX, currentTarget }: PointerEvent) => {
    const share = offsetX / Math.max(1, currentTarget instanceof Element ? currentTarget.clientWidth : 1);
    hover(Math.max(0, Math.min(values.length - 1, Math.round(share * (values.length - 1)))));
  };
  const hint = `step ${step[shown]}${tokens === undefined ? "" : `, ${small(ofAnswer(shown))} nats an answer`}`;
  return (
    <div class={isWarning ? "mini alarm" : "mini"}>
      <h3>{label}</h3>
      <p class="now">
        {write(values[shown] ?? null)}{" "}
        {(hovered !== undefined || note) && <small>{hovered === undefined ? note : hint}</small>}
      </p>
      <div onPointerMove={onPointerMove} onPointerLeave={() => hover(undefined)}>
        <SmallChart label={label + description} height={58} range={extent(values)} values={values} at={shown} />
      </div>
    </div>
  );
}
