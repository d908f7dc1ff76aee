import { join } from "node:path";
import { type Steps, unreachable } from "../lib/steps.ts";
import { installTools } from "../lib/tools.ts";
import type { Packed } from "../pack/pack.ts";
import { installByRange, runAgainstServer } from "./program.ts";
import { proveRegistry } from "./registry/prove.ts";
import { publish, startRegistry } from "./registry/registry.ts";
import { prepareRelease } from "./release.ts";
import { tryUpgrade } from "./upgrade.ts";
import { asRanges, type Versions, versionsOf } from "./versions.ts";

/**
 * Publishes the last release to a registry on loopback, and then what was packed, with the versions that the waiting
 * changesets give it. In between and after, programs outside the workspace install by range, compile and run.
 */
export async function rehearse(
  steps: Steps,
  packed: readonly Packed[],
  temporary: string,
  online: boolean,
): Promise<void> {
  const release = await prepareRelease(steps, packed, temporary, online);
  // Before the registry starts, which would keep this process alive.
  if (release === undefined) return skipInstalls(steps, "What it needs failed.");
  const installed = await steps.take("install verdaccio", () => installTools("registry"));
  if (installed === undefined) return skipInstalls(steps, "verdaccio is not installed.");
  const started = await steps.take("start a registry on loopback", () => startRegistry(join(temporary, "registry")));
  if (started === undefined) return skipInstalls(steps, "What it needs failed.");
  const { url: registry, close } = started.value;
  const publishAll = async (what: string, which: readonly Packed[]): Promise<boolean> =>
    (await steps.take(`publish ${what}`, () => publish(registry, which, join(temporary, "publisher")))) !== undefined;
  try {
    await proveRegistry(steps, registry, join(temporary, "probe"));
    if (release.previous.length > 0 && !(await publishAll("the previous version", release.previous)))
      return skipInstalls(steps, "What it needs failed.");
    const previous = versionsOf(release.previous);
    const fresh = release.next.filter(({ name, version }) => previous.get(name) !== version);
    const publishNext = (): Promise<boolean> => publishAll("the new version", fresh);
    if (!online) {
      await publishNext();
      return skipInstalls(steps, unreachable);
    }
    const next = versionsOf(release.next);
    const { samples } = release;
    await tryUpgrade(steps, { previous, next, samples, folder: join(temporary, "consumers"), registry, publishNext });
    await tryProgram(steps, next, join(temporary, "program"), registry);
  } finally {
    close();
  }
}

function skipInstalls(steps: Steps, why: string): void {
  steps.skip("consumers: upgrade from the previous version", why);
  steps.skip("program: install by range, and run", why);
}

/** The packages that the program imports, and the server that it runs against. */
const imported = new Set(["auxiliary", "inference", "server", "training"].map((name) => `@trainyard/${name}`));

async function tryProgram(steps: Steps, versions: Versions, folder: string, registry: string): Promise<void> {
  const ranges = asRanges(new Map([...versions].filter(([name]) => imported.has(name))));
  if (await steps.take("program: install by range", () => installByRange(folder, ranges, registry)))
    await steps.take("program: compile, and run against the installed local server", () => runAgainstServer(folder));
}
