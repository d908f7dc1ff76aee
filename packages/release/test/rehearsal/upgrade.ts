import { cpSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/lib/run.ts";
import { withServer } from "../../src/lib/services.ts";
import { refuse, type Steps, Unavailable } from "../../src/lib/steps.ts";
import { root } from "../../src/lib/workspace.ts";
import {
  compileConsumer,
  type Consumers,
  copyConsumers,
  installConsumers,
  installedVersions,
  runConsumers,
  upgradeConsumers,
} from "./consumers.ts";
import { breaking, dependenciesOn, type Versions } from "./versions.ts";

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

/**
 * Installs the previous version into the sample consumers, and updates them to the new one; then compiles and runs them.
 * With the previous version, its own release did so.
 * @returns whether each step that others need has passed
 */
export async function tryUpgrade(steps: Steps, upgrade: Upgrade): Promise<boolean> {
  const { previous, next, samples, folder, registry } = upgrade;
  const consumers = copyConsumers(samples, folder);
  const had = await steps.take(`consumers: install ${spoken(previous)}`, () => {
    installConsumers(consumers, dependenciesOn(previous, registry), registry);
    refuse(differences(installedVersions(consumers), previous));
  });
  if (!(await upgrade.publishNext()) || had === undefined) return false;
  const broken = breaking(previous, next);
  const wanted = new Map([...next].filter(([name]) => previous.has(name)));
  const raised = await steps.take(`consumers: update to ${spoken(wanted)}`, () => {
    // A breaking version is installed only on request.
    upgradeConsumers(consumers, dependenciesOn(broken.length === 0 ? previous : wanted, registry, wanted));
    refuse(differences(installedVersions(consumers), wanted));
  });
  if (raised === undefined) return false;
  let compiled = true;
  for (const name of consumers.names)
    if (!(await steps.take(`consumers: compile ${name}`, () => compileOne(consumers, name, broken)))) compiled = false;
  if (compiled) await steps.take("consumers: run against the installed mock", () => runConsumers(consumers));
  await steps.take("program: run against the installed local server", () => runAgainstServer(consumers));
  return compiled;
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

/** Runs a call of each kind. `pnpm test packages` compiles the same program. */
async function runAgainstServer({ folder }: Consumers): Promise<void> {
  cpSync(join(root, "packages/samples/programs/five-operations.ts"), join(folder, "program.ts"));
  const printed = await withServer(folder, ({ env }) => run(process.execPath, ["program.ts"], { cwd: folder, env }));
  if (!/^buckets \d+$/m.test(printed)) throw new Error(`The program ended early. It printed:\n${printed}`);
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
