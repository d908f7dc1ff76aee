import type { LocatedChange } from "./model.ts";
import { verdicts } from "../verdict.ts";

/** Changes of one cause. It reads as the first of them, and concerns what all of them concern. */
export interface Group extends LocatedChange {
  readonly others: readonly LocatedChange[];
}

/** Lists of what has the same key, in the order of their first members. */
export function groupBy<One>(all: Iterable<One>, key: (one: One) => string): [One, ...One[]][] {
  const groups = new Map<string, [One, ...One[]]>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group === undefined) groups.set(key(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
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
  return causes
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
    effects: effects.map((same) => ({
      ...same[0],
      operations: [...new Set(same.flatMap(({ operations }) => operations))],
    })),
    broken: broken.map((same) => ({ ...same[0], places: [...new Set(same.flatMap(({ places }) => places))] })),
  };
}
