import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findServices, type Problem, reach, readTree } from "@trainyard/document/files";
import { idleAcceptances, readAcceptances } from "./acceptance.ts";
import { withFolder } from "./folder.ts";
import { type Revision, extractDocuments, findRevision, mergeBase } from "./git.ts";
import { goneServices } from "./released.ts";
import type { CheckReport, ServiceReport } from "./report/model.ts";
import { reportServices } from "./service-report.ts";
import { type Documents, type Snapshot, readSnapshot } from "./documents.ts";
import type { Consumer } from "./uses/uses.ts";
import type { FailOn } from "./verdict.ts";
import { witness } from "./witness/witness.ts";

/**
 * Compares the documents of the working tree with those of its merge base with a revision, by default the main branch.
 * Versions are compared with the last release.
 */
export async function check(
  root: string,
  revision: string | undefined,
  { consumers = [], failOn = "wire" }: { readonly consumers?: readonly Consumer[]; readonly failOn?: FailOn } = {},
): Promise<CheckReport> {
  const found = findRevision(root, revision);
  const base = { ...found, commit: mergeBase(root, found.commit) };
  return withFolder(async (folder) => {
    const makeFolder = (name: string): string => {
      const path = join(folder, name);
      mkdirSync(path);
      return path;
    };
    const old = makeFolder("old");
    extractDocuments(root, base.commit, old);
    const all = servicesOf(old, root);
    const acceptances = readAcceptances(root, base.commit);
    const isReleased = existsSync(join(root, "openapi/released"));
    // An acceptance may be about a change of an earlier branch.
    const touched = acceptances.some(({ isMerged }) => !isMerged || isReleased) ? all : touchedServices(old, root);
    const untouched = all.filter((service) => !touched.includes(service));
    const reports: ServiceReport[] = untouched.map((service) => ({ service, changes: [] }));
    if (touched.length + goneServices(root).length > 0) {
      const [before, now] = await Promise.all([readSnapshot(old, touched, false), readSnapshot(root, touched)]);
      const faults = new Map([...asBase(base, before.faults), ...now.faults]);
      const readable = ({ documents }: Snapshot): Documents =>
        new Map([...documents].filter(([service]) => !faults.has(service)));
      const compared = reportServices(root, readable(before), readable(now), { consumers, failOn });
      reports.push(...(await witness(before, now, makeFolder("program"), compared)));
      for (const [service, problems] of faults) reports.push({ service, changes: [], faults: problems });
    }
    const services = reports.sort((a, b) => (a.service < b.service ? -1 : 1));
    // An acceptance may fit a change of a service that cannot be read.
    const isWhole = services.every(({ faults }) => faults === undefined);
    return { base, services, failOn, idle: isWhole ? idleAcceptances(services, acceptances) : [] };
  });
}

/**
 * The services, on either side, that read a changed file. Bundling the others and generating their clients would take
 * seconds.
 */
function touchedServices(old: string, root: string): string[] {
  const [before, now] = [readTree(old), readTree(root)];
  return servicesOf(old, root).filter((service) =>
    [...reach(before, service), ...reach(now, service)].some((file) => before.get(file) !== now.get(file)),
  );
}

function servicesOf(old: string, root: string): string[] {
  return [...new Set([...findServices(old), ...findServices(root)])].sort();
}

/** The documents of a revision can no longer be fixed, so the cure is another one. */
function asBase({ name }: Revision, faults: Snapshot["faults"]): Map<string, Problem[]> {
  const cure = "Name another revision.";
  const said = ({ message, ...problem }: Problem): Problem => ({ ...problem, message: `In ${name}: ${message}`, cure });
  return new Map([...faults].map(([service, problems]) => [service, problems.map(said)]));
}
