import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { locate } from "@trainyard/codegen/locate";
import { DocumentError } from "@trainyard/codegen/problem";
import { affected } from "./affected.ts";
import type { Change } from "./change.ts";
import { compareWhole } from "./compare/service.ts";
import { findServices } from "./documents.ts";
import type { Document } from "./document.ts";
import { Failure } from "./failure.ts";
import { type Revision, extractDocuments, findRevision, isUnchanged } from "./git.ts";
import { tokens } from "./pointer.ts";
import { type Side, readSide } from "./side.ts";
import type { Uses } from "./uses.ts";
import type { Verdict } from "./verdict.ts";
import { type VersionVerdict, judgeVersion } from "./version.ts";
import { type TypesVerdict, witness } from "./witness/witness.ts";

/** A place in a file of the working tree, relative to its root. */
export interface FilePlace {
  readonly file: string;
  readonly line?: number;
}

export interface PlacedChange extends Change {
  /** Where the hand-written document has it, or had it. */
  readonly at: FilePlace;
  /** Places of consumers that it breaks. */
  readonly broken: readonly BrokenUse[];
}

/** Where a consumer breaks, and the file that knows it. */
export interface BrokenUse {
  readonly uses: string;
  /** As `file:line`. */
  readonly places: readonly string[];
}

export interface ServiceReport {
  readonly service: string;
  /** Breaking ones first. */
  readonly changes: readonly PlacedChange[];
  /** None where the service has come or gone as a whole. */
  readonly version?: VersionVerdict & { readonly at: FilePlace };
  /** What the compiler says of the changes. None where there is nothing to compare. */
  readonly types?: TypesVerdict;
}

export interface CheckReport {
  readonly base: Revision;
  /** Every service that either side has, by name. */
  readonly services: readonly ServiceReport[];
}

/** Whether some document's version is too low for its changes, or the types of its client say otherwise. */
export function isRefused({ services }: CheckReport): boolean {
  return services.some(({ version, types }) => version?.enough === false || (types?.disagreements.length ?? 0) > 0);
}

const order: readonly Verdict[] = ["breaking", "additive", "neutral"];

/** Compares one service and places what it finds in the files below `root`. */
export function reportService(
  root: string,
  service: string,
  base: Document | undefined,
  revision: Document | undefined,
  consumers: readonly Uses[] = [],
): ServiceReport {
  const place = (pointer: string): FilePlace => {
    const { file, line } = locate(root, service, tokens(pointer), "reference");
    return { file, ...(line === undefined ? {} : { line }) };
  };
  const changes = compareWhole(service, base, revision)
    .map((change) => ({ ...change, at: place(change.revision), broken: brokenUses(base, change, consumers) }))
    .sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || (a.place < b.place ? -1 : 1));
  if (base === undefined || revision === undefined) return { service, changes };
  const version = { ...judgeVersion(base.version, revision.version, changes), at: place("/info/version") };
  return { service, changes, version };
}

function brokenUses(base: Document | undefined, change: Change, consumers: readonly Uses[]): BrokenUse[] {
  if (base === undefined) return [];
  return consumers.flatMap(({ file, services }) => {
    const uses = services.get(change.service);
    const places = uses === undefined ? [] : affected(base, change, uses);
    return places.length === 0 ? [] : [{ uses: file, places }];
  });
}

/** Compares the documents of the working tree with those of a revision, by default of the main branch. */
export async function check(
  root: string,
  asked: string | undefined,
  consumers: readonly Uses[] = [],
): Promise<CheckReport> {
  const base = findRevision(root, asked);
  if (isUnchanged(root, base.commit)) {
    return { base, services: findServices(root).map((service) => ({ service, changes: [] })) };
  }
  const folder = await mkdtemp(join(tmpdir(), "trainyard-contract-"));
  const place = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  try {
    const old = place("old");
    extractDocuments(root, base.commit, old);
    const [before, now] = await Promise.all([readOldSide(old, place("before"), base), readSide(root, place("now"))]);
    const names = [...new Set([...before.documents.keys(), ...now.documents.keys()])].sort();
    const services = names.map((service) =>
      reportService(root, service, before.documents.get(service), now.documents.get(service), consumers),
    );
    return { base, services: await witness(before, now, place("program"), services) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a revision had cannot be mended any more: another has to be named. */
async function readOldSide(root: string, folder: string, { name }: Revision): Promise<Side> {
  try {
    return await readSide(root, folder);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new Failure(
      `The documents of ${name} are broken, so nothing can be compared with them. Name another revision.\n\n${error.message}`,
    );
  }
}
