import { join } from "node:path";
import { pointerTokens as tokens } from "@trainyard/core/validation";
import type { Change } from "../change.ts";
import type { Document } from "../document.ts";
import type { Kind } from "../kinds.ts";
import type { ServiceReport } from "../report/model.ts";
import type { Snapshot } from "../documents.ts";
import { type Fault, compileProbes, makeClients } from "./compile.ts";
import { type Probe, closure, probes } from "./probes.ts";

/** Kinds after which an open set has members that older types do not list. */
const growing: ReadonlySet<Kind> = new Set<Kind>(["member-added", "set-opened"]);

/** Kinds that no type shows, or that only add what no program has used yet. */
const untyped: ReadonlySet<Kind> = new Set<Kind>([
  "basis-changed",
  "basis-withdrawn",
  "body-optional",
  "deprecated",
  "description-changed",
  "error-added",
  "example-changed",
  "foreign-key-changed",
  "header-added",
  "info-changed",
  "operation-added",
  "parameter-added",
  "parameter-optional",
  "promise-added",
  "promise-reworded",
  "promise-withdrawn",
  "property-added",
  "schema-added",
  "tag-changed",
  "undeprecated",
]);

/**
 * Whether code that compiled must still compile, except where a change explains why not. After a breaking change that nobody
 * accepted the compiler has no say: the version announces what breaks.
 */
export function mustCompile(changes: readonly Change[]): boolean {
  return (
    changes.length > 0 && changes.every(({ verdict, accepted }) => verdict !== "breaking" || accepted !== undefined)
  );
}

/** Whether a change that may end the compilation of some code concerns a line. */
function explains(base: Document, change: Change, { operation, schema }: Probe): boolean {
  if (change.verdict !== "breaking" && !growing.has(change.kind)) return false;
  if (schema === undefined) return change.effects.some(({ operations }) => operations.includes(operation ?? ""));
  const within = closure(base, [schema]);
  return [change.base, change.revision, change.subject].some((pointer) => within.has(tokens(pointer)[2] ?? ""));
}

/** Everything that callers could write, but for what a change is known to end. */
export function expected(base: Document, revision: Document, changes: readonly Change[]): Probe[] {
  return probes(base, revision).filter((probe) => !changes.some((change) => explains(base, change, probe)));
}

/** One sentence for all lines that fail for the same reason. */
export function faultsInWords(failed: readonly Fault[]): string[] {
  return [...new Set(failed.map(({ message }) => message))].map((message) => {
    const same = failed.filter((fault) => fault.message === message);
    const [first = "", ...rest] = new Set(same.map(({ probe }) => probe.about));
    const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
    return `${first}${more} no longer compiles, and no change there is called breaking: ${message}`;
  });
}

/**
 * Compiles everything that callers could write for the older clients against the newer ones, for each service whose changes
 * are called harmless and could show in types. The clients and the program are written to a folder.
 */
export async function witness(
  before: Snapshot,
  now: Snapshot,
  folder: string,
  services: readonly ServiceReport[],
): Promise<ServiceReport[]> {
  const lines = new Map(
    services.flatMap(({ service, changes }) => {
      const [old, own] = [before.documents.get(service), now.documents.get(service)];
      return old === undefined ||
        own === undefined ||
        !mustCompile(changes) ||
        changes.every(({ kind }) => untyped.has(kind))
        ? []
        : [[service, expected(old, own, changes)]];
    }),
  );
  if (lines.size === 0) return [...services];
  const folders = { base: join(folder, "base"), now: join(folder, "now"), folder };
  const clients = await Promise.all([
    makeClients(now.root, folders.now, [...lines.keys()]),
    makeClients(before.root, folders.base, [...lines.keys()]),
  ]);
  // Of a service with a refusal on both sides, that of the older one is said.
  const refusals = new Map(clients.flatMap((side) => [...side]));
  const compiled = new Map([...lines].filter(([service]) => !refusals.has(service)));
  const faults = compiled.size > 0 ? await compileProbes(compiled, folders) : new Map();
  return services.map((report) => {
    const own = lines.get(report.service);
    if (own === undefined) return report;
    const reason = refusals.get(report.service);
    const skipped = `The types were not compared, because no client can be generated: ${reason ?? ""}`;
    const found = { probes: own.length, faults: faultsInWords(faults.get(report.service) ?? []) };
    return { ...report, types: reason === undefined ? found : { probes: 0, faults: [], skipped } };
  });
}
