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
import { coverageOf, type Coverage } from "./rules/coverage.ts";
import { Run } from "./run.ts";
import { unseenIn } from "./unseen.ts";
import { BudgetSpent } from "./wire.ts";

/** The options of a verification. */
export interface VerifyOptions {
  /** The flows to run, which create resources. Without them, only a request that the service should reject can create one. */
  readonly write?: readonly Flow[] | undefined;
  /** The maximum number of calls. Default: 400, or 1000 with flows. */
  readonly budget?: number | undefined;
  /** Values by the name of a parameter or of a property of a body: `{ model: "demo/tiny" }`. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** The names of the operations to check. Default: all. */
  readonly operations?: readonly string[] | undefined;
  /** Ends the run. What it created is deleted first. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each request, with what it tries in a few words: `without a key`. */
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
}

/** The result of a verification. */
export interface Verification {
  /** Contradictions first. */
  readonly findings: readonly Finding[];
  /** What could not be checked, and why. */
  readonly notes: readonly string[];
  /** The declared statuses that the service did not return, and why. */
  readonly unseen: readonly string[];
  /** How many rules were checked, and which were not. */
  readonly rules: Coverage;
  /** What was created by requests that the service should have rejected, and whether it was deleted. */
  readonly accidents: readonly string[];
  readonly calls: number;
  readonly milliseconds: number;
  /** Deletions that failed: the requests that would delete what was created. */
  readonly left: readonly Sent[];
}

/**
 * Checks running services against their documents. By default it calls safe operations, and sends requests that the service
 * must reject. It deletes what a service creates although it should have rejected the request.
 */
export async function verify(services: readonly LiveService[], options: VerifyOptions = {}): Promise<Verification> {
  const { write, budget = write === undefined ? 400 : 1000, set = {}, operations, signal, onRequest } = options;
  const only = operations && ((_: string, name: string) => operations.includes(name));
  const run = new Run(services, { budget, set, writes: write !== undefined, signal, onRequest, only });
  const start = performance.now();
  let cleaned: Awaited<ReturnType<typeof cleanUp>> = { left: [], accidents: [] };
  try {
    await look(run, "read");
    if (write !== undefined) {
      await runFlows(run, write);
      await look(run, "created");
      await lookForCreated(
        run,
        run.known.created.filter(({ isAccident }) => !isAccident).map(({ creation }) => creation),
      );
    }
  } catch (error) {
    run.ended = error instanceof BudgetSpent ? "the budget is spent" : "the run was interrupted";
    if (error instanceof BudgetSpent)
      run.findings.note(
        `The budget of ${budget} calls is spent, so not everything was checked. Raise it with --budget.`,
      );
    else if (!signal?.aborted) throw error;
    else run.findings.note("The run was interrupted, so not everything was checked.");
  } finally {
    cleaned = await cleanUp(run);
  }
  return {
    findings: run.findings.all(),
    notes: run.findings.notes(),
    unseen: unseenIn(run),
    rules: coverageOf(run),
    calls: run.wire.sent,
    milliseconds: Math.round(performance.now() - start),
    ...cleaned,
  };
}

/** Runs each probe for all operations before the next one, so that the budget goes to the most telling probes first. */
async function look(run: Run, what: "read" | "created"): Promise<void> {
  const all = run.services.flatMap((service) =>
    service.document.operations
      .filter(({ name }) => run.options.only?.(service.name, name) ?? true)
      .map((operation) => ({ service, operation })),
  );
  // Operations that need an id are checked again once there is one.
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
