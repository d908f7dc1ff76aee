/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { MiniChart } from "../charts/mini-chart.tsx";
import { Card } from "./card.tsx";
import type { OtherFigure } from "../pages/figures.ts";

/** The metrics without a chart, as a list. A run may have hundreds, so a chart is drawn only when it is opened. */
export function OtherMetrics({ figures }: { readonly figures: readonly OtherFigure[] }) {
  if (figures.length === 0) return null;
  return (
    <Card id="others" title="Other metrics" class="others">
      {figures.map((figure) => (
        <OtherMetric key={figure.label} {...figure} />
      ))}
    </Card>
  );
}

function OtherMetric({ label, draw }: OtherFigure) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <MiniChart {...draw()} />}
    </details>
  );
}
