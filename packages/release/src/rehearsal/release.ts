import { join } from "node:path";
import { inc } from "semver";
import { refuse, type Steps, unreachable } from "../lib/steps.ts";
import type { Packed } from "../pack/pack.ts";
import { sampleConsumers } from "./consumers.ts";
import { plannedVersions } from "./plan.ts";
import { lastTag, packTag, sourceOf } from "./previous.ts";
import { restamp } from "./restamp.ts";
import { loweredFaults, type Versions, versionsOf } from "./versions.ts";

/** What is in the registry before a release, and what the release brings. */
export interface Release {
  readonly previous: readonly Packed[];
  /** The sample consumers, as they were written for it. */
  readonly samples: string;
  readonly next: readonly Packed[];
}

/** Finds what was released last, and gives what was packed its new versions. */
export async function prepareRelease(
  steps: Steps,
  packed: readonly Packed[],
  place: string,
  online: boolean,
): Promise<Release | undefined> {
  const planned = await steps.take("versions to publish, by the changesets that wait", () => plannedVersions());
  const tag = lastTag();
  const folder = join(place, "previous");
  const next = (versions: Versions): readonly Packed[] => stamped(packed, versions, join(place, "next"));
  if (planned === undefined) return undefined;
  if (tag === undefined) {
    const copied = await steps.take("previous version: a copy of this one, none being released yet", () =>
      restamp(packed, previousOf(planned.value), folder),
    );
    return copied && { previous: copied.value, samples: sampleConsumers(), next: next(planned.value) };
  }
  const what = `previous version: build and pack ${tag}`;
  if (!online) {
    steps.skip(what, unreachable);
    return { previous: [], samples: sampleConsumers(), next: next(planned.value) };
  }
  const made = await steps.take(what, () => packTag(tag, folder));
  if (made === undefined) return undefined;
  const last = versionsOf(made.value);
  await steps.take(`versions: none below those of ${tag}`, () => refuse(loweredFaults(last, planned.value)));
  const samples = sampleConsumers(sourceOf(folder));
  return { previous: made.value, samples, next: next(nextOf(last, planned.value)) };
}

/** Numbers before those, and in one range with them. */
export function previousOf(versions: Versions): Versions {
  return new Map([...versions].map(([name, version]) => [name, `${version}-previous.0`]));
}

/** What would be published; where nothing waits for a release, as if all were mended a little. */
export function nextOf(last: Versions, planned: Versions): Versions {
  if ([...planned].some(([name, version]) => last.get(name) !== version)) return planned;
  return new Map([...planned].map(([name, version]) => [name, inc(version, "patch") ?? version]));
}

/** The tarballs themselves where they have these versions already. */
function stamped(packed: readonly Packed[], versions: Versions, folder: string): readonly Packed[] {
  const same = packed.every(({ name, version }) => versions.get(name) === version);
  return same ? packed : restamp(packed, versions, folder);
}
