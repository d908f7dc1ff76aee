import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/lib/run.ts";
import { key, withServices } from "../program.ts";
import { Unavailable } from "../../src/lib/npm.ts";
import { refuse, type Steps } from "./steps.ts";
import { installTools } from "../../src/lib/tools.ts";
import { root } from "../../src/lib/workspace.ts";
import type { Packed } from "../../src/pack/pack.ts";
import {
  compileConsumer,
  copyConsumer,
  installConsumer,
  installedVersions,
  runConsumer,
  upgradeConsumer,
} from "./consumer.ts";
import { lastTag, packTag, sourceOf } from "./previous.ts";
import { publish, startRegistry } from "./registry/registry.ts";
import {
  breaking,
  dependenciesOn,
  nextOf,
  plannedVersions,
  previousOf,
  restamp,
  type Versions,
  versionsOf,
} from "./versions.ts";

/**
 * Publishes the last release to a registry on loopback, and then what was packed, with the versions that the waiting
 * changesets give it. A program outside the workspace installs the one by range, updates to the other, compiles and runs. With
 * the last release, its own rehearsal did so.
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
  const tools = await steps.take("install verdaccio", () => installTools("registry"));
  if (had === undefined || tools === undefined) return false;
  const previous = versionsOf(had.value);
  const next = nextOf(previous, planned.value);
  const started = await steps.take("start a registry on loopback", () => startRegistry(join(temporary, "registry")));
  if (started === undefined) return false;
  const { url: registry, close } = started.value;
  const publishAll = (which: string, packages: readonly Packed[]) =>
    steps.take(`publish the ${which} version`, () => publish(registry, packages, join(temporary, "publisher")));
  try {
    if (!(await publishAll("previous", had.value))) return false;
    const consumer = join(temporary, "consumer");
    copyConsumer(tag === undefined ? root : sourceOf(folder), consumer);
    const installed = await steps.take(`consumer: install ${spoken(previous)}`, () => {
      installConsumer(consumer, dependenciesOn(previous, registry), registry);
      refuse(differences(installedVersions(consumer), previous));
    });
    const made = restamp(packed, next, join(temporary, "next"));
    const isNew = ({ name, version }: Packed): boolean => previous.get(name) !== version;
    if (!(await publishAll("new", made.filter(isNew))) || installed === undefined) return false;
    const broken = breaking(previous, next);
    const wanted = new Map([...next].filter(([name]) => previous.has(name)));
    const raised = await steps.take(`consumer: update to ${spoken(wanted)}`, () => {
      // A breaking version is installed only on request.
      upgradeConsumer(consumer, dependenciesOn(broken.length === 0 ? previous : wanted, registry, wanted));
      refuse(differences(installedVersions(consumer), wanted));
    });
    if (raised === undefined) return false;
    const compiled = await steps.take("consumer: compile", () => compile(consumer, broken));
    if (compiled) await steps.take("consumer: run against the installed mock", () => runConsumer(consumer));
    await steps.take("program: run against the installed local server", () => runAgainstServer(consumer));
    return compiled !== undefined;
  } finally {
    close();
  }
}

/** Compiles the consumer. If a version declares a breaking change, a compile error is expected. */
function compile(consumer: string, broken: readonly string[]): void {
  try {
    compileConsumer(consumer);
  } catch (error) {
    if (broken.length === 0) throw error;
    const faults = error instanceof Error ? error.message : String(error);
    throw new Unavailable(`It breaks, and the version says so (${broken.join(", ")}):\n${faults}`);
  }
}

/** Runs a call of each kind. `vitest run --project packages` compiles the same program. */
async function runAgainstServer(folder: string): Promise<void> {
  cpSync(join(root, "packages/samples/programs/five-operations.ts"), join(folder, "program.ts"));
  const keys = join(folder, "keys.json");
  writeFileSync(keys, JSON.stringify([{ key, entity: "harbor" }]));
  const serve = ["serve", "--port", "0", "--data", "memory", "--keys", keys, "--quiet"];
  const printed = await withServices(folder, serve, ({ env }) =>
    run(process.execPath, ["program.ts"], { cwd: folder, env }),
  );
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
