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
  const [drag, setDrag] = useState<{ start: number; x: number; end: number; isDrag: boolean }>();
  const at = hover ?? current;
  const leave = () => setHover(undefined);
  return {
    at,
    isHovered: hover !== undefined,
    /** The places between which somebody drags, in order. */
    dragged: drag?.isDrag === true ? [drag.start, drag.end].toSorted((a, b) => a - b) : undefined,
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
      onPointerDown(event: PointerEvent): void {
        if (event.button !== 0) return;
        const start = placeAt(event.offsetX);
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        setDrag({ start, end: start, x: event.offsetX, isDrag: false });
      },
      onPointerMove(event: PointerEvent): void {
        const end = placeAt(event.offsetX);
        setHover(end);
        if (drag !== undefined)
          setDrag({ ...drag, end, isDrag: drag.isDrag || Math.abs(event.offsetX - drag.x) >= dragFrom });
      },
      onPointerUp(event: PointerEvent): void {
        const step = steps[placeAt(event.offsetX)];
        setDrag(undefined);
        if (drag?.isDrag === true) {
          const [from, to] = [drag.start, drag.end].toSorted((a, b) => a - b).map((place) => steps[place]);
          // A single step is not a curve.
          if (from !== undefined && to !== undefined && from !== to) onZoom({ from, to });
        } else if (step !== undefined && event.button === 0) onStep(step);
      },
      onPointerCancel: () => setDrag(undefined),
      onPointerLeave: leave,
      onDblClick: () => onZoom(undefined),
    },
  };
}
