import type { ServiceComparison } from "@trainyard/contract";

const order = ["none", "patch", "minor", "major"] as const;

/** By how much a changeset raises a package. */
export type Bump = (typeof order)[number];

export function isBump(value: unknown): value is Bump {
  return order.some((bump) => bump === value);
}

/** The lowest bump that tells callers what became of the contract. Words and warnings ask for no release. */
export function bumpFor(verdict: ServiceComparison["verdict"]): Bump {
  return verdict === "breaking" ? "major" : verdict === "additive" ? "minor" : "none";
}

/**
 * The bump that a branch needs for a service: what it changes, and no more than what has changed since the last release. What
 * puts back a change that was never released needs none. `none` before the first release, which tells everything.
 */
export function bumpOf({ verdict, sinceRelease }: Pick<ServiceComparison, "verdict" | "sinceRelease">): Bump {
  const [branch, release] = [bumpFor(verdict), bumpFor(sinceRelease?.verdict ?? "unchanged")];
  return isBelow(branch, release) ? branch : release;
}

export function isBelow(bump: Bump, needed: Bump): boolean {
  return order.indexOf(bump) < order.indexOf(needed);
}

/** The highest of them; `none` of none. */
export function highest(bumps: readonly Bump[]): Bump {
  return bumps.reduce((high, bump) => (isBelow(high, bump) ? bump : high), "none");
}
