import { satisfies } from "semver";
import { refuse, type Steps, Unavailable } from "../lib/steps.ts";
import {
  compileConsumer,
  type Consumers,
  copyConsumers,
  installConsumers,
  installedVersions,
  runConsumers,
  upgradeConsumers,
} from "./consumers.ts";
import { asRanges, type Versions } from "./versions.ts";

/** An upgrade to test. */
export interface Upgrade {
  readonly previous: Versions;
  readonly next: Versions;
  /** The folder of the sample consumers, as they were written for the previous version. */
  readonly samples: string;
  /** An empty folder, outside the workspace. */
  readonly folder: string;
  /** The registry with the previous version. */
  readonly registry: string;
  /** Publishes the new version there. @returns whether it succeeded */
  readonly publishNext: () => Promise<boolean>;
}

/** Packages whose new version declares a breaking change. */
export function breaking(previous: Versions, next: Versions): string[] {
  return [...previous].flatMap(([name, before]) => {
    const after = next.get(name);
    return after === undefined || satisfies(after, `^${before}`) ? [] : [`${name} ${before} → ${after}`];
  });
}

/** Installs the previous version into the sample consumers, then the new one; compiles and runs them with each. */
export async function tryUpgrade(steps: Steps, upgrade: Upgrade): Promise<void> {
  const { previous, next, samples, folder, registry } = upgrade;
  const consumers = copyConsumers(samples, folder);
  const had = await steps.take(`consumers: install ${spoken(previous)}`, () => {
    installConsumers(consumers, asRanges(previous), registry);
    refuse(differences(installedVersions(consumers), previous));
  });
  const worked =
    had !== undefined &&
    (await compileAll(steps, consumers, "the previous version", [])) &&
    (await steps.take("consumers: run with the previous version", () => runConsumers(consumers))) !== undefined;
  if (!(await upgrade.publishNext()) || !worked) return;

  const broken = breaking(previous, next);
  const wanted = new Map([...next].filter(([name]) => previous.has(name)));
  const raised = await steps.take(`consumers: update to ${spoken(wanted)}`, () => {
    // A breaking version is installed only on request.
    upgradeConsumers(consumers, asRanges(broken.length === 0 ? previous : wanted));
    refuse(differences(installedVersions(consumers), wanted));
  });
  if (raised && (await compileAll(steps, consumers, "the new version", broken)))
    await steps.take("consumers: run with the new version", () => runConsumers(consumers));
}

async function compileAll(
  steps: Steps,
  consumers: Consumers,
  what: string,
  broken: readonly string[],
): Promise<boolean> {
  let all = true;
  for (const name of consumers.names)
    all =
      (await steps.take(`consumers: compile ${name} with ${what}`, () => compileOne(consumers, name, broken))) !==
        undefined && all;
  return all;
}

/** Compiles one consumer. If a version declares a breaking change, a compile error is expected. */
function compileOne(consumers: Consumers, name: string, broken: readonly string[]): void {
  try {
    compileConsumer(consumers, name);
  } catch (error) {
    if (broken.length === 0) throw error;
    const faults = error instanceof Error ? error.message : String(error);
    throw new Unavailable(`It breaks, and the version says so (${broken.join(", ")}):\n${faults}`);
  }
}

function differences(found: Versions, wanted: Versions): string[] {
  return [...wanted]
    .filter(([name, version]) => found.get(name) !== version)
    .map(([name, version]) => `npm took ${name} ${found.get(name) ?? "not at all"} where ${version} was to be had.`);
}

/** All different versions, or one if they are equal. */
function spoken(versions: Versions): string {
  return [...new Set(versions.values())].map((version) => `^${version}`).join(", ");
}
