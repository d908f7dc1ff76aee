import { type FileLocation, Locator, sourceOf } from "@trainyard/document/files";
import { affected } from "./uses/affected.ts";
import { type Change, verdictFor } from "./change.ts";
import { type Acceptance, accept, fits, readAcceptances, versionChange } from "./acceptance.ts";
import { compareWhole } from "./compare/service.ts";
import type { Document } from "./document.ts";
import type { Documents } from "./documents.ts";
import { pointerTokens as tokens } from "@trainyard/core/validation";
import type { Release } from "@trainyard/document";
import type { Consumer } from "./uses/uses.ts";
import { type FailOn, byVerdict, worst } from "./verdict.ts";
import { departures } from "./deprecation.ts";
import { readReleases } from "@trainyard/codegen/releases";
import { goneServices, readReleased } from "./released.ts";
import { judgeVersion } from "./version.ts";
import type { BrokenUse, ServiceReport, SinceRelease } from "./report/model.ts";

/** What a comparison depends on, beside the documents. */
interface Standing {
  readonly acceptances: readonly Acceptance[];
  /** Newest first. */
  readonly releases: readonly Release[];
  /** As `2026-11-04`. */
  readonly today: string;
  readonly locator: Locator;
}

/** Compares every service of either side, and those that left since their last release, by name. */
export function reportServices(
  root: string,
  before: Documents,
  now: Documents,
  given: Pick<Context, "consumers" | "failOn"> = {},
): ServiceReport[] {
  const names = [...new Set([...before.keys(), ...now.keys(), ...goneServices(root)])].sort();
  const standing = readStanding(root);
  return names.map((service) =>
    reportService(root, service, before.get(service), now.get(service), { ...given, standing }),
  );
}

function readStanding(root: string): Standing {
  const today = new Date().toISOString().slice(0, 10);
  return { acceptances: readAcceptances(root), releases: readReleases(root), today, locator: new Locator(root) };
}

/** The control of our local server has no other programs as callers, until it is released. */
const unjudged = "local";

interface Context {
  readonly failOn?: FailOn;
  readonly consumers?: readonly Consumer[];
  readonly standing?: Standing;
}

/** Compares one service, and locates its changes in the files below `root`. */
export function reportService(
  root: string,
  service: string,
  base: Document | undefined,
  revision: Document | undefined,
  { consumers = [], standing = readStanding(root), failOn = "wire" }: Context = {},
): ServiceReport {
  const locationOf = (pointer: string): FileLocation =>
    standing.locator.locate(sourceOf(service), tokens(pointer), "reference");
  const sinceRelease = compareSinceRelease(root, service, revision, standing);
  const changes = accept(compareWhole(service, base, revision), standing.acceptances)
    .map((change) => ({
      ...change,
      departures: sinceRelease?.changes.find(({ kind, base: at }) => kind === change.kind && at === change.base)
        ?.departures,
      at: locationOf(change.revision),
      broken: brokenUses(base, change, consumers),
    }))
    .sort(byVerdict);
  // After the first release, the version announces what breaks the wire.
  const early = sinceRelease === undefined && service !== unjudged;
  const refused = changes.filter(
    (change) =>
      change.accepted === undefined &&
      ((early && verdictFor(change, "wire") === "breaking") ||
        (failOn === "source" && verdictFor(change, "source") === "breaking")),
  );
  const report = {
    service,
    changes,
    ...(refused.length > 0 && { refused }),
    ...(sinceRelease !== undefined && { sinceRelease }),
  };
  if (revision === undefined) return report;
  const judged = judgeVersion(revision.version, sinceRelease);
  const accepted = standing.acceptances.some((one) => fits(one, versionChange(service, judged)));
  const version = { ...(accepted ? { ...judged, right: true } : judged), at: locationOf("/info/version") };
  return { ...report, version };
}

function brokenUses(base: Document | undefined, change: Change, consumers: readonly Consumer[]): BrokenUse[] {
  if (base === undefined) return [];
  return consumers.flatMap(({ file, services }) => {
    const uses = services[change.service];
    const places = uses === undefined ? [] : affected(base, change, uses);
    return places.length === 0 ? [] : [{ uses: file, places }];
  });
}

/** Compares a service with its last release; undefined before the first release. A removed service has no document. */
function compareSinceRelease(
  root: string,
  service: string,
  revision: Document | undefined,
  { acceptances, releases, today }: Standing,
): SinceRelease | undefined {
  const released = readReleased(root, service);
  if (released === undefined) return undefined;
  const changes = accept(compareWhole(service, released, revision), acceptances).map((change) => {
    const left = departures(change, released, releases, today);
    return left.length === 0 ? change : { ...change, departures: left };
  });
  const open = changes.filter(({ accepted }) => accepted === undefined);
  return {
    version: released.version,
    changes,
    verdict: worst(open.map(({ verdict }) => verdict)),
    leaving: open.flatMap((change) => (change.departures ?? []).flatMap(({ missing }) => missing ?? [])),
  };
}
