/**
 * How often a property is tried: a quarter of what it is tried in `pnpm test fuzz`, where `PROPERTIES` is set. Values are
 * drawn anew in each run of the tests, so that many runs try as much.
 */
export function tries(whole: number): { readonly numRuns: number } {
  return { numRuns: process.env["PROPERTIES"] === undefined ? Math.ceil(whole / 4) : whole };
}
