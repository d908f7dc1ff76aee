/** @jsxImportSource preact */
import type { JSX } from "preact";
import { reward } from "../format/format.ts";

export type SvgProps = JSX.IntrinsicElements["svg"] & Readonly<Record<"width" | "height", number> & { label: string }>;

/** A drawing of this size, with a description. */
export function Svg({ width, height, label, ...rest }: SvgProps) {
  return <svg role="img" {...{ width, height, viewBox: `0 0 ${width} ${height}`, ...rest }} aria-label={label} />;
}

export interface LevelsProps {
  readonly values: readonly number[];
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly digits: number;
}

/** A line across the chart for each of a few rewards. */
export function Levels({ values, y, left, right, digits }: LevelsProps) {
  return (
    <>
      {values.map((value) => (
        <g key={value}>
          <line class="grid" x1={left} x2={right} y1={y(value)} y2={y(value)} />
          <text x={left - 8} y={y(value) + 4} text-anchor="end">
            {reward(value, digits)}
          </text>
        </g>
      ))}
    </>
  );
}
