import { groupBy } from "@trainyard/document";
import type { LocatedChange } from "./model.ts";
import { verdicts } from "../verdict.ts";

/** Changes of one cause. It reads as the first of them, and concerns what all of them concern. */
export interface Group extends LocatedChange {
  readonly others: readonly LocatedChange[];
}

/**
 * Changes of one kind in the same words are a group, and so are all neutral ones. The worst come first, then those that nobody
 * accepted, then those in most places. If they are not to be grouped, each is a group.
 */
export function groupsOf(changes: readonly LocatedChange[], isGrouped = true): Group[] {
  if (!isGrouped) return changes.map((change) => ({ ...change, others: [] }));
  const causes = groupBy(changes, ({ verdict, kind, what, departures = [], accepted }) =>
    verdict === "neutral"
      ? verdict
      : [verdict, kind, what, ...departures.map(({ announced }) => announced), accepted?.reason, accepted?.file].join(
          "\n",
        ),
  );
  return [...causes.values()]
    .map(groupOf)
    .sort(
      (a, b) =>
        verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) ||
        Number(a.accepted !== undefined) - Number(b.accepted !== undefined) ||
        b.others.length - a.others.length,
    );
}

function groupOf(changes: readonly [LocatedChange, ...LocatedChange[]]): Group {
  const [first, ...others] = changes;
  const effects = groupBy(
    changes.flatMap((change) => change.effects),
    ({ role, audience, verdict, why, operations }) => [role, audience, verdict, why, operations.length > 0].join("\n"),
  );
  const broken = groupBy(
    changes.flatMap((change) => change.broken),
    ({ uses }) => uses,
  );
  return {
    ...first,
    others,
    effects: [...effects.values()].map((same) => ({
      ...same[0],
      operations: [...new Set(same.flatMap(({ operations }) => operations))],
    })),
    broken: [...broken.values()].map((same) => ({
      ...same[0],
      places: [...new Set(same.flatMap(({ places }) => places))],
    })),
  };
}
