import type { ServiceComparison } from "@trainyard/contract";

const order = ["none", "patch", "minor", "major"] as const;

/** How much a changeset raises a version. */
export type Bump = (typeof order)[number];

export function isBump(value: unknown): value is Bump {
  return order.some((bump) => bump === value);
}

/** The lowest bump that a change of the contract requires. Changes of words and warnings require no release. */
export function bumpFor(verdict: ServiceComparison["verdict"]): Bump {
  return verdict === "breaking" ? "major" : verdict === "additive" ? "minor" : "none";
}

/**
 * The bump that a branch requires for a service: its own changes, but no more than what has changed since the last
 * release. Reverting an unreleased change requires none. `none` before the first release, which contains everything.
 */
export function bumpOf({ verdict, sinceRelease }: Pick<ServiceComparison, "verdict" | "sinceRelease">): Bump {
  const [branch, release] = [bumpFor(verdict), bumpFor(sinceRelease?.verdict ?? "unchanged")];
  return isBelow(branch, release) ? branch : release;
}

export function isBelow(bump: Bump, needed: Bump): boolean {
  return order.indexOf(bump) < order.indexOf(needed);
}

/** The highest bump; `none` if there is none. */
export function highest(bumps: readonly Bump[]): Bump {
  return bumps.reduce((high, bump) => (isBelow(high, bump) ? bump : high), "none");
}
