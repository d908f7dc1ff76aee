import type { Overlay, OverlayAction } from "./read-overlay.ts";

/** Overlays on their way over all documents: counts what fits none of them. */
export class OverlayRun {
  readonly overlays: readonly Overlay[];
  readonly #fitting: Set<OverlayAction> = new Set();

  constructor(overlays: readonly Overlay[]) {
    this.overlays = overlays;
  }

  readonly onMissed = ({ actions }: Overlay, missed: readonly OverlayAction[]): void => {
    for (const action of actions) if (!missed.includes(action)) this.#fitting.add(action);
  };

  /** Each action that changed nothing, as a sentence: most often a name that is written wrong. */
  missed(): string[] {
    return this.overlays.flatMap(({ file, service, actions }) =>
      actions
        .filter((action) => !this.#fitting.has(action))
        .map(({ line, target }) => {
          const where = service === undefined ? "any document" : `openapi/${service}`;
          return `${file}:${line}  The target \`${target}\` is not in ${where}: nothing was changed by it.`;
        }),
    );
  }
}
