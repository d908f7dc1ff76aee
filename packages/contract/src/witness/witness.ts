import type { ServiceReport } from "../service-report.ts";
import type { Snapshot } from "../snapshot.ts";
import { compileProbes } from "./compile.ts";
import { disagreements } from "./judge.ts";
import { probes } from "./probes.ts";

/** The compiler's findings about a service's changes. */
export interface TypesVerdict {
  /** The number of compiled lines. */
  readonly probes: number;
  /** Code that no longer compiles although the rules call every change harmless, each as a sentence. */
  readonly faults: readonly string[];
  /** Disagreements with the verdicts that need not be mistakes, each as a sentence. */
  readonly notes: readonly string[];
  /** Why nothing was compiled. */
  readonly skipped?: string;
}

/**
 * Compiles everything that callers could write for the older clients against the newer ones, for each changed service, and
 * compares the results with the verdicts. The program is written to a folder.
 */
export async function witness(
  before: Snapshot,
  now: Snapshot,
  folder: string,
  services: readonly ServiceReport[],
): Promise<ServiceReport[]> {
  const changed = new Set(
    services.filter(
      ({ changes, service }) => changes.length > 0 && before.documents.has(service) && now.documents.has(service),
    ),
  );
  const refusal = before.refusal ?? now.refusal;
  const { clients: base } = before;
  const { clients: revision } = now;
  if (base === undefined || revision === undefined || changed.size === 0) {
    const skipped = `The types were not compared, because no client can be generated: ${refusal ?? ""}`;
    const types = { probes: 0, faults: [], notes: [], skipped };
    return services.map((report) => (changed.has(report) ? { ...report, types } : report));
  }
  const lines = new Map(
    [...changed].flatMap(({ service }) => {
      const [old, own] = [before.documents.get(service), now.documents.get(service)];
      return old === undefined || own === undefined ? [] : [[service, probes(old, own)] as const];
    }),
  );
  const faults = await compileProbes(lines, { base, now: revision, folder });
  return services.map((report) => {
    const [old, own] = [before.documents.get(report.service), lines.get(report.service)];
    if (old === undefined || own === undefined) return report;
    const found = disagreements(old, report.changes, own, faults.get(report.service) ?? []);
    return { ...report, types: { probes: own.length, ...found } };
  });
}
