import { useState } from "preact/hooks";

/** The first and the last step of a chart. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** Pixels below which a drag counts as a click with an unsteady hand. */
const dragFrom = 6;

export interface ChartRangeOptions {
  readonly steps: readonly number[];
  /** The place of the selected step. */
  readonly current: number;
  /** The place of the step at this number of pixels from the left. */
  readonly placeAt: (x: number) => number;
  readonly onStep: (step: number) => void;
  /** Called with the steps that should fill the chart; undefined for all. */
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** The pointed and the dragged steps of a chart: by pointer, and by arrow keys and Enter. */
export function useChartRange({ steps, current, placeAt, onStep, onZoom }: ChartRangeOptions) {
  const [hover, setHover] = useState<number>();
  const [drag, setDrag] = useState<{ start: number; x: number; isDrag: boolean }>();
  const at = hover ?? current;
  /** The places between which somebody drags, in order. */
  const dragged = drag?.isDrag === true ? [drag.start, at].toSorted((a, b) => a - b) : undefined;
  const leave = () => setHover(undefined);
  return {
    at,
    isHovered: hover !== undefined,
    dragged,
    slider: {
      onBlur: leave,
      onKeyDown(event: KeyboardEvent): void {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const step = steps[at];
        if (by !== undefined) setHover(Math.max(0, Math.min(steps.length - 1, at + by)));
        else if (event.key === "Enter" && step !== undefined) onStep(step);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
    drawing: {
      onPointerDown({ button, offsetX: x, currentTarget, pointerId }: PointerEvent): void {
        if (button !== 0) return;
        (currentTarget as Element).setPointerCapture(pointerId);
        setHover(placeAt(x));
        setDrag({ start: placeAt(x), x, isDrag: false });
      },
      onPointerMove({ offsetX }: PointerEvent): void {
        setHover(placeAt(offsetX));
        if (drag !== undefined && Math.abs(offsetX - drag.x) >= dragFrom) setDrag({ ...drag, isDrag: true });
      },
      onPointerUp({ button }: PointerEvent): void {
        const [from, to] = (dragged ?? [at]).map((place) => steps[place]);
        setDrag(undefined);
        if (from === undefined || button !== 0) return;
        if (dragged === undefined) onStep(from);
        // A single step is not a curve.
        else if (to !== undefined && from !== to) onZoom({ from, to });
      },
      onPointerCancel: () => setDrag(undefined),
      onPointerLeave: leave,
      onDblClick: () => onZoom(undefined),
    },
  };
}
