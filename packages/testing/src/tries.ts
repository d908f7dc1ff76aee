/**
 * How many times a property is tried. `pnpm exec vitest run --project fuzz`, which sets `PROPERTIES`, tries eight times as many. Each run draws
 * new values, so that many runs try as much.
 */
export function tries(whole: number): { readonly numRuns: number } {
  return { numRuns: process.env["PROPERTIES"] === undefined ? Math.ceil(whole / 8) : whole };
}
