import { join } from "node:path";
import type { Steps } from "../../src/lib/steps.ts";
import { installTools } from "../../src/lib/tools.ts";
import type { Packed } from "../../src/pack/pack.ts";
import { sampleConsumers } from "./consumers.ts";
import { lastTag, packTag, sourceOf } from "./previous.ts";
import { publish, startRegistry } from "./registry/registry.ts";
import { tryUpgrade } from "./upgrade.ts";
import { nextOf, plannedVersions, previousOf, restamp, versionsOf } from "./versions.ts";

/**
 * Publishes the last release to a registry on loopback, and then what was packed, with the versions that the waiting
 * changesets give it. Programs outside the workspace install the one by range, update to the other, compile and run.
 * @returns whether each step that others need has passed
 */
export async function rehearse(steps: Steps, packed: readonly Packed[], temporary: string): Promise<boolean> {
  const planned = await steps.take("versions to publish, by the changesets that wait", () => plannedVersions());
  if (planned === undefined) return false;
  const tag = lastTag();
  const folder = join(temporary, "previous");
  const what = tag === undefined ? "a copy of this one, none being released yet" : `build and pack ${tag}`;
  const had = await steps.take(`previous version: ${what}`, () =>
    tag === undefined ? restamp(packed, previousOf(planned.value), folder) : packTag(tag, folder),
  );
  // Before the registry starts, which would keep this process alive.
  const installed = await steps.take("install verdaccio", () => installTools("registry"));
  if (had === undefined || installed === undefined) return false;
  const previous = versionsOf(had.value);
  const next = nextOf(previous, planned.value);
  const started = await steps.take("start a registry on loopback", () => startRegistry(join(temporary, "registry")));
  if (started === undefined) return false;
  const { url: registry, close } = started.value;
  const publishAll = async (which: string, packages: readonly Packed[]): Promise<boolean> =>
    (await steps.take(`publish the ${which} version`, () =>
      publish(registry, packages, join(temporary, "publisher")),
    )) !== undefined;
  try {
    if (!(await publishAll("previous", had.value))) return false;
    return await tryUpgrade(steps, {
      previous,
      next,
      samples: tag === undefined ? sampleConsumers() : sampleConsumers(sourceOf(folder)),
      folder: join(temporary, "consumers"),
      registry,
      publishNext: () => {
        const made = restamp(packed, next, join(temporary, "next"));
        return publishAll(
          "new",
          made.filter(({ name, version }) => previous.get(name) !== version),
        );
      },
    });
  } finally {
    close();
  }
}
