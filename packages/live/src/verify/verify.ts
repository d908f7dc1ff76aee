import type { LiveService } from "../service.ts";
import type { Sent } from "../request.ts";
import { cleanUp } from "./clean-up.ts";
import type { Finding } from "./finding.ts";
import { runFlows, type Flow } from "./flows.ts";
import { tryInvalid } from "./probes/invalid.ts";
import { tryKeys } from "./probes/keys.ts";
import { followPages } from "./probes/pages.ts";
import { lookForCreated } from "./probes/listed.ts";
import { tryProtocol } from "./probes/protocol.ts";
import { read } from "./probes/reads.ts";
import { tryStreams } from "./probes/streams.ts";
import { trySums } from "./probes/sums.ts";
import { tryUnknown } from "./probes/unknowns.ts";
import { Run } from "./run.ts";
import { BudgetSpent } from "./wire.ts";

/** How services are verified. */
export interface VerifyOptions {
  /** The flows to go through, where anything may be created. Without them nothing is created. */
  readonly write?: readonly Flow[] | undefined;
  /** The most calls; 400 by default, 1000 with flows. */
  readonly budget?: number | undefined;
  /** Values by the name of a parameter or of a body's property: `{ model: "demo/tiny" }`. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Looks at these operations alone, by name; at all by default. */
  readonly operations?: readonly string[] | undefined;
  /** Ends the run; what was created is deleted first. */
  readonly signal?: AbortSignal | undefined;
  /** Is told of each request before it is sent. */
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
}

/** What a look at services came to. */
export interface Verification {
  /** The surest first. */
  readonly findings: readonly Finding[];
  /** What could not be judged, and why. */
  readonly notes: readonly string[];
  readonly calls: number;
  readonly milliseconds: number;
  /** What was created and could not be deleted: the requests that delete it. */
  readonly left: readonly Sent[];
}

/**
 * Holds live services against their documents. By default nothing is created: what changes nothing is read, and what must be
 * refused is sent.
 */
export async function verify(services: readonly LiveService[], options: VerifyOptions = {}): Promise<Verification> {
  const { write, budget = write === undefined ? 400 : 1000, set = {}, operations, signal, onRequest } = options;
  const only = operations && ((_: string, name: string) => operations.includes(name));
  const run = new Run(services, { budget, set, signal, onRequest, only });
  const start = performance.now();
  let left: Sent[] = [];
  try {
    await look(run, "read");
    if (write !== undefined) {
      await runFlows(run, write);
      await look(run, "created");
      await lookForCreated(
        run,
        run.known.created.flatMap(({ creation }) => creation ?? []),
      );
    }
  } catch (error) {
    if (error instanceof BudgetSpent)
      run.findings.note(
        `The budget of ${budget} calls is spent: not everything was looked at. Raise it with --budget.`,
      );
    else if (!signal?.aborted) throw error;
    else run.findings.note("It was interrupted: not everything was looked at.");
  } finally {
    left = await cleanUp(run);
  }
  return {
    findings: run.findings.all(),
    notes: run.findings.notes(),
    calls: run.wire.sent,
    milliseconds: Math.round(performance.now() - start),
    left,
  };
}

/** One probe after the other, each of all operations: the budget goes to what says most first. */
async function look(run: Run, what: "read" | "created"): Promise<void> {
  const all = run.services.flatMap((service) =>
    service.document.operations
      .filter(({ name }) => run.options.only?.(service.name, name) ?? true)
      .map((operation) => ({ service, operation })),
  );
  // What needs an id is looked at again once there is one.
  const chosen = what === "read" ? all : all.filter(({ operation }) => operation.path.includes("{"));
  for (const { service, operation } of chosen) await read(run, service, operation);
  for (const { service, operation } of chosen) await followPages(run, service, operation);
  if (what === "created") {
    for (const { service, operation } of chosen) await tryInvalid(run, service, operation);
    return;
  }
  for (const { service, operation } of all) await tryKeys(run, service, operation);
  for (const { service, operation } of all) await tryUnknown(run, service, operation);
  for (const { service, operation } of all) await tryStreams(run, service, operation);
  for (const { service, operation } of all) await trySums(run, service, operation);
  for (const { service, operation } of all) await tryInvalid(run, service, operation);
  for (const service of run.services) await tryProtocol(run, service);
}
