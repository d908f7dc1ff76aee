/** @jsxImportSource preact */
import type { RewardRange } from "../api/answers.ts";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { reward } from "../format/format.ts";
import { between } from "./scale.ts";

/** The width of an element, updated when the page changes; 0 before it is known. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

export type SvgProps = JSX.IntrinsicElements["svg"] & Readonly<Record<"width" | "height", number> & { label: string }>;

/** A drawing of this size, with a description. Before its width is known, it is not drawn. */
export function Svg({ width, height, label, ...rest }: SvgProps) {
  if (width === 0) return null;
  return (
    <svg
      role="img"
      stroke-linejoin="round"
      {...{ width, height, viewBox: `0 0 ${width} ${height}`, ...rest }}
      aria-label={label}
    />
  );
}

export interface LevelsProps {
  readonly range: RewardRange;
  /** The number of parts into which the lines divide the range. */
  readonly parts: number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
}

/** A line across the chart for each of a few rewards. */
export function Levels({ range, parts, y, left, right }: LevelsProps) {
  const values = Array.from({ length: parts + 1 }, (_, at) => between(range, at / parts));
  return values.map((value) => (
    <g key={value}>
      <line class="grid" x1={left} x2={right} y1={y(value)} y2={y(value)} />
      <text x={left - 8} y={y(value) + 4} text-anchor="end">
        {reward(value, parts > 2 ? 2 : 1)}
      </text>
    </g>
  ));
}
