import { join } from "node:path";
import { inc } from "semver";
import { refuse, type Steps, unreachable } from "../lib/steps.ts";
import type { Packed } from "../pack/pack.ts";
import { sampleConsumers } from "./consumers.ts";
import { plannedVersions } from "./plan.ts";
import { lastTag, packTag, sourceOf } from "./previous.ts";
import { restamp } from "./restamp.ts";
import { loweredFaults, type Versions, versionsOf } from "./versions.ts";

/** The packages in the registry before a release, and the packages of the release. */
export interface Release {
  readonly previous: readonly Packed[];
  /** The sample consumers, in the version that was written for it. */
  readonly samples: string;
  readonly next: readonly Packed[];
}

/** Finds the last release, and gives the packed packages their new versions. */
export async function prepareRelease(
  steps: Steps,
  packed: readonly Packed[],
  temporary: string,
  online: boolean,
): Promise<Release | undefined> {
  const planned = await steps.take("versions to publish, by the changesets that wait", () => plannedVersions());
  const tag = lastTag();
  const folder = join(temporary, "previous");
  const next = (versions: Versions): readonly Packed[] => stamped(packed, versions, join(temporary, "next"));
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

/** Lower version numbers in the same range. */
export function previousOf(versions: Versions): Versions {
  return new Map([...versions].map(([name, version]) => [name, `${version}-previous.0`]));
}

/** The versions to publish. If nothing waits for a release, as if every package had a patch. */
export function nextOf(last: Versions, planned: Versions): Versions {
  if ([...planned].some(([name, version]) => last.get(name) !== version)) return planned;
  return new Map([...planned].map(([name, version]) => [name, inc(version, "patch") ?? version]));
}

/** The tarballs themselves if they already have these versions. */
function stamped(packed: readonly Packed[], versions: Versions, folder: string): readonly Packed[] {
  const same = packed.every(({ name, version }) => versions.get(name) === version);
  return same ? packed : restamp(packed, versions, folder);
}
