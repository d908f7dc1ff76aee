import type { Overlay, OverlayAction } from "./read-overlay.ts";

/** Applies overlays to all documents, and counts the actions that match none. */
export class OverlayRun {
  readonly overlays: readonly Overlay[];
  readonly #fitting: Set<OverlayAction> = new Set();

  constructor(overlays: readonly Overlay[]) {
    this.overlays = overlays;
  }

  readonly onMissed = ({ actions }: Overlay, missed: readonly OverlayAction[]): void => {
    for (const action of actions) if (!missed.includes(action)) this.#fitting.add(action);
  };

  /** Each action without effect, as a sentence: usually its target is misspelled. */
  missed(): string[] {
    return this.overlays.flatMap(({ file, service, actions }) =>
      actions
        .filter((action) => !this.#fitting.has(action))
        .map(({ line, target }) => {
          const where = service === undefined ? "any document" : `openapi/${service}`;
          return `${file}:${line}  The target \`${target}\` does not exist in ${where}. The action had no effect.`;
        }),
    );
  }
}
