import { locateIn, requiredIn, successesOf } from "@trainyard/document";
import type { LiveService } from "../contract.ts";
import { bodyMedia } from "../request.ts";
import { cleanUp, type Left } from "./clean-up.ts";
import type { Finding } from "./findings.ts";
import { runFlows } from "./flows.ts";
import { tryInvalid } from "./probes/invalid.ts";
import { followPages } from "./probes/pages.ts";
import { tryKeys, tryProtocol, tryUnknown } from "./probes/refusals.ts";
import { lookForCreated, read } from "./probes/reads.ts";
import { lacksKey, pathsOf, valueless } from "./probes/requests.ts";
import { tryStreams } from "./probes/streams.ts";
import { trySums } from "./probes/sums.ts";
import { isGuarded, tryWrites } from "./probes/writes.ts";
import { coverageOf as rulesOf, type Coverage } from "./rules/rules.ts";
import { BudgetSpent, isOurs, Run, type Target, type VerifyOptions } from "./run.ts";

export interface Verification {
  /** Contradictions first. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** Services that another document describes, each as a sentence. Nothing else is said of them. */
  readonly misfits: readonly string[];
  readonly coverage: readonly Covered[];
  readonly rules: Coverage;
  /** What was created by requests that the service should have rejected, and whether it was deleted. */
  readonly accidents: readonly string[];
  readonly calls: number;
  readonly milliseconds: number;
  /** Why the run ended before everything was checked: `the budget is spent`, `the run was interrupted`; undefined if it did not. */
  readonly ended?: string | undefined;
  /** What was created and is not deleted, with the requests that delete it. */
  readonly left: readonly Left[];
}

export interface Covered {
  readonly service: string;
  readonly operation: string;
  readonly status: string;
  readonly seen: number;
  /** Why it was never seen, or was not tried in each way; undefined if it was. */
  readonly why?: string;
}

/**
 * Checks running services against their documents. By default it calls safe operations, and sends requests that the service
 * must reject. It deletes what a service creates although it should have rejected the request.
 */
export async function verify(services: readonly LiveService[], options: VerifyOptions = {}): Promise<Verification> {
  const run = new Run(services, options);
  const start = performance.now();
  let cleaned: Awaited<ReturnType<typeof cleanUp>> = { left: [], accidents: [] };
  try {
    const targets = callable(run);
    // Each probe for all operations before the next one, so that the budget goes to the most telling probes first.
    for (const probe of [read, followPages, tryKeys, tryUnknown, tryStreams, trySums, tryInvalid])
      for (const target of targets) {
        if (run.misfits.has(target.service) || (probe !== tryKeys && lacksKey(target))) continue;
        if (isGuarded(target.operation)) continue;
        await probe(target);
        if (probe === read) run.isMisfit(target.service, 8);
      }
    // Two, because one operation may be missing.
    const fitting = run.services.filter((service) => !run.isMisfit(service, 2));
    for (const service of fitting) await tryProtocol(run, service);
    if (options.write !== undefined) {
      if (run.services.some(({ document }) => isOurs(document))) await runFlows(run, options.write);
      const usual = callable(run);
      await tryWrites(usual);
      // Operations that need an id are checked again once there is one.
      const ofIds = usual.filter(({ operation }) => operation.path.includes("{"));
      for (const probe of [read, followPages, tryInvalid])
        for (const target of ofIds) if (!lacksKey(target)) await probe(target);
      await lookForCreated(run);
    }
  } catch (error) {
    const isSpent = error instanceof BudgetSpent;
    if (!isSpent && options.signal?.aborted !== true) throw error;
    run.ended = isSpent ? "the budget is spent" : "the run was interrupted";
    const what = isSpent ? `The budget of ${run.budget} calls is spent` : "The run was interrupted";
    run.findings.notes.add(`${what}, so not everything was checked.${isSpent ? " Raise it with --budget." : ""}`);
  } finally {
    cleaned = await cleanUp(run);
  }
  return { ...resultOf(run, start), ...cleaned };
}

export function resultOf(run: Run, start: number): Verification {
  return {
    findings: run.findings.all().filter(({ service }) => ![...run.misfits.keys()].some(({ name }) => name === service)),
    notes: [...run.findings.notes],
    misfits: [...run.misfits.values()],
    coverage: coverageOf(run),
    rules: rulesOf(run),
    calls: run.sent,
    milliseconds: Math.round(performance.now() - start),
    ended: run.ended,
    accidents: [],
    left: [],
  };
}

/** The operations that can be called, lists before what is below them. A request without a required parameter would be refused, rightly. */
function callable(run: Run): Target[] {
  const depth = ({ operation }: Target): number => operation.path.split("{").length;
  const targets = run.targets().toSorted((a, b) => depth(a) - depth(b));
  return targets.filter((target) => {
    if (run.options.read === true && !target.operation.safe) return false;
    const names = valueless(target);
    if (names.length === 0) return true;
    const all = names.map((name) => `\`${name}\``).join(", ");
    const cure = names.map((name) => `--set ${name}=…`).join(" ");
    const why = `because no value is known for its required ${all}. Use ${cure}.`;
    run.findings.notes.add(`${target.operation.name}: not called, ${why}`);
    return false;
  });
}

function coverageOf(run: Run): Covered[] {
  const targets = run.targets().filter(({ operation }) => operation.aliasOf === undefined);
  return targets.flatMap((target) => {
    const { service, operation } = target;
    const withheld = run.withheld.has(operation) ? ["401"] : [];
    return [...new Set([...operation.responses.keys(), ...withheld])].map((status): Covered => {
      const declared = operation.responses.get(status);
      const seen = (declared && run.seen.get(declared)) ?? 0;
      const row = { service: service.name, operation: operation.name, status, seen };
      if (withheld.includes(status))
        return { ...row, why: "not with the key elsewhere, because the service is not on this machine" };
      return seen > 0 ? row : { ...row, why: reasonOf(target, status) };
    });
  });
}

function reasonOf(target: Target, status: string): string {
  const { run, operation } = target;
  if (run.isPassive) return "not in the traffic";
  const names = valueless(target);
  if (names.length > 0) return `needs --set ${names.join(", ")}`;
  const isSuccess = successesOf(operation.responses).some((one) => one.status === status);
  if (run.options.read === true && !operation.safe) return "not with --read";
  if (lacksKey(target)) return "needs a key";
  if (isGuarded(operation) && run.options.write === undefined) return "needs --write";
  const untried = run.stopped.get(operation);
  if (isGuarded(operation) && untried?.startsWith("not tried") === true) return untried;
  const missed = run.ended ?? "the service did not return it";
  if (["400", "401", "404", "422"].includes(status)) return missed;
  if (!isSuccess && status !== "409") return "cannot be provoked";
  if (!operation.safe && run.options.write === undefined) return "needs --write";
  if (untried !== undefined || !isSuccess || run.ended !== undefined) return untried ?? missed;
  const needed = neededBy(target).filter((name) => !run.set.has(name));
  return operation.safe && needed.length > 0 ? `needs --set ${needed.join(", ")}` : missed;
}

/** The names of the texts that a request needs: path parameters if the run knows none, else those of its query and body. */
function neededBy(target: Target): string[] {
  const { service, operation } = target;
  const where = pathsOf(target).length === 0 ? "path" : "query";
  const named = operation.parameters.filter((one) => one.in === where && one.required).map(({ name }) => name);
  const schema = where === "path" ? undefined : bodyMedia(operation)?.schema;
  if (schema === undefined) return named;
  const { root } = service.document;
  const isText = (name: string) => locateIn(root, schema, "properties", name).node["type"] === "string";
  return [...named, ...requiredIn(root, schema, "request").filter(isText)];
}
