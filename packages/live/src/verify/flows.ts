import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { responseOf } from "@trainyard/document";
import { withoutSecrets } from "../request.ts";
import { textOf } from "../text.ts";
import { lookForIt } from "./clean-up.ts";
import { evaluate, fill, holds, Missing, type Scope } from "./expressions.ts";
import { excerpt } from "./judge-answer.ts";
import { lacksKey } from "./probes/requests.ts";
import { objectsIn } from "./rules/rule.ts";
import { send, type Expected, type Run, type Target } from "./run.ts";
import { isPerformed, type Exchange } from "./wire.ts";

const require = createRequire(import.meta.url);

/** A document of flows (Arazzo 1.0), by the name of its file. */
export interface Flow {
  readonly name: string;
  readonly document: object;
}

/** The flows of the guides, copied when the package was built. */
export function flows(): Flow[] {
  const all: Readonly<Record<string, object>> = require("@trainyard/live/flows.json");
  return Object.entries(all).map(([name, document]) => ({ name, document }));
}

/** How many seconds to wait until the criteria of a step hold. */
const longestStep = 15;

export async function runFlows(run: Run, flows: readonly Flow[]): Promise<void> {
  for (const { name, document } of flows)
    for (const node of objectsIn(resolvePointer(document, "#/workflows")))
      await go({ run, name: `flow ${name}`, document, node, inputs: inputsOf(run, name, node), steps: new Map() });
}

interface Workflow extends Scope {
  readonly run: Run;
  readonly name: string;
  readonly document: object;
  readonly node: JsonObject;
  readonly steps: Map<string, Readonly<Record<string, unknown>>>;
}

/** The inputs of a workflow: the run's own, those of `--set`, else their defaults. */
function inputsOf({ own, set }: Run, name: string, workflow: JsonObject): Workflow["inputs"] {
  const ours: Readonly<Record<string, string>> = { project: own, idempotency_key: `${own}-${name}`, key: "" };
  const properties = Object.entries(Object(resolvePointer(workflow, "#/inputs/properties")));
  return Object.fromEntries(
    properties.map(([input, schema]) => [input, ours[input] ?? set.get(input) ?? Object(schema)["default"]]),
  );
}

async function go(flow: Workflow): Promise<void> {
  const { run, name } = flow;
  const steps = objectsIn(flow.node["steps"]);
  for (const [index, step] of steps.entries()) {
    const why = await take(flow, step).catch((error: unknown) => {
      // The earlier step that returned no such value has been reported.
      if (!(error instanceof Missing)) throw error;
    });
    if (why === undefined) continue;
    const stopped = `${name} stopped at step ${nameOf(step)}: ${why}`;
    for (const target of steps.slice(index).map((one) => targetOf(flow, one)))
      if (target !== undefined) run.stopped.set(target.operation, stopped);
    return void run.findings.notes.add(`${stopped}. The rest of it was not run.`);
  }
}

/** Runs a step. Returns why the workflow ends with it; undefined if it does not. */
async function take(flow: Workflow, step: JsonObject): Promise<string | undefined> {
  const target = targetOf(flow, step);
  if (target === undefined) return undefined;
  if (lacksKey(target)) return "it needs a key";
  const criteria = objectsIn(step["successCriteria"]);
  const statusesOf = (all: readonly JsonObject[]): number[] =>
    all.flatMap(({ condition }) => Number(/^\$statusCode == (\d+)$/.exec(String(condition))?.[1]) || []);
  const statuses = statusesOf(criteria);
  // What a service may do instead ends the flow.
  const permitted = statusesOf(objectsIn(step["onFailure"]).flatMap((action) => objectsIn(action["criteria"])));
  const expected = statuses.length > 0 ? { says: "", statuses: [...statuses, ...permitted] } : undefined;
  const end = performance.now() + longestStep * 1000;
  for (let attempt = 0; ; attempt++) {
    const exchange = await sendStep(flow, target, step, expected);
    const { answer } = exchange;
    const here = { ...flow, answer };
    if (answer.status === 0) return "the service did not respond";
    // A mock returns the values of its document, so only its status is judged.
    const broken = criteria.find(
      (one) => (!answer.isExample || String(one["condition"]).startsWith("$statusCode")) && !holds(one, here),
    );
    if (broken === undefined) {
      flow.steps.set(nameOf(step), outputsOf(step, here));
      await learn(flow, exchange);
      return undefined;
    }
    const action = objectsIn(step["onFailure"]).find(({ criteria: all }) =>
      objectsIn(all).every((one) => holds(one, here)),
    );
    if (action?.["type"] === "end") return `${String(action["name"]).replaceAll("-", " ")}${reasonIn(exchange)}`;
    if (action?.["type"] === "retry") {
      if (attempt >= Number(action["retryLimit"] ?? 1) || performance.now() >= end)
        return `its criteria did not hold within ${longestStep} s`;
      await sleep(Math.min(2000, 1000 * Number(action["retryAfter"] ?? 1) * 1.2 ** attempt), undefined, {
        signal: flow.run.options.signal,
      }).catch(() => undefined);
      continue;
    }
    if (answer.status === 404 && !statuses.includes(404) && (await isOutdated(flow)))
      return "what an earlier step found has been deleted meanwhile";
    report(flow, exchange, step, String(broken["condition"]), statuses[0]);
    return undefined;
  }
}

/** Whether an earlier step that read something now reads something else: others may delete what a flow uses. */
async function isOutdated(flow: Workflow): Promise<boolean> {
  for (const step of objectsIn(flow.node["steps"]).filter((one) => flow.steps.has(nameOf(one)))) {
    const target = targetOf(flow, step);
    if (target?.operation.method !== "GET") continue;
    const exchange = await sendStep(flow, target, step);
    const [before, now] = [flow.steps.get(nameOf(step)), outputsOf(step, { ...flow, answer: exchange.answer })];
    if (isPerformed(exchange) && JSON.stringify(now) !== JSON.stringify(before)) return true;
  }
  return false;
}

function report(flow: Workflow, exchange: Exchange, step: JsonObject, condition: string, status?: number): void {
  const { operation, answer } = exchange;
  if (operation === undefined || answer.broken !== undefined) return;
  const why = typeof step["description"] === "string" ? step["description"] : "The flow continues.";
  const wanted = status === undefined ? undefined : responseOf(operation, status);
  const isStatus = condition.startsWith("$statusCode");
  const [expression] = /\$response\.body#[^\s]*/.exec(condition) ?? [];
  const value = expression && (JSON.stringify(evaluate(expression, { ...flow, answer })) ?? "null");
  flow.run.report(exchange, {
    pointer: (wanted ?? operation).pointer,
    says: isStatus
      ? `${status}: ${wanted?.description ?? ""} ${why}`.trim()
      : `${why} ${condition.replaceAll(/\$response\.(body#|header\.)/g, "")}`,
    seen: isStatus
      ? `status ${answer.status}${excerpt(exchange)}`
      : `${value ?? "the condition does not hold"}${reasonIn(exchange)}`,
    // The interface says nothing of several calls that depend on each other.
    isAdopted: true,
  });
}

async function learn({ run }: Workflow, exchange: Exchange): Promise<void> {
  const { service, operation, path } = exchange;
  if (operation === undefined || !isPerformed(exchange)) return;
  const last = /\{([^}]+)\}$/.exec(operation.path)?.[1];
  if (operation.method === "DELETE" && last !== undefined) {
    const deleted = run.created.filter((one) => one.path[last] === path[last] && one.deletion === operation);
    for (const one of deleted) one.isDeleted = true;
    run.ids(service, operation.path, last).delete(path[last] ?? "");
    // What may still be there is deleted again at the end.
    const isFound = await lookForIt(run, operation, exchange);
    if (isFound === false) run.created = run.created.filter((one) => !deleted.includes(one));
    return;
  }
  for (const [name, value] of Object.entries(path)) run.ids(service, operation.path, name).add(value);
}

function targetOf({ run }: Workflow, step: JsonObject): Target | undefined {
  const [, name, id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/.exec(String(step["operationId"])) ?? [];
  const service = run.services.find((one) => one.name === name);
  const operation = service?.document.operations.find((one) => one.id === id);
  return service && operation && { run, service, operation };
}

async function sendStep(flow: Workflow, target: Target, step: JsonObject, expected?: Expected): Promise<Exchange> {
  const values: Record<"path" | "query" | "header", Record<string, string>> = { path: {}, query: {}, header: {} };
  for (const parameter of [...objectsIn(flow.node["parameters"]), ...objectsIn(step["parameters"])]) {
    // A parameter may be one of the flow's components.
    const pointer = textOf(parameter["reference"]).replace(/^\$/, "#/").replaceAll(".", "/");
    const { in: where, name, value }: JsonObject = Object(resolvePointer(flow.document, pointer) ?? parameter);
    if (where === "path" || where === "query" || where === "header")
      values[where][String(name)] = String(fill(value, flow));
  }
  const body = fill(resolvePointer(step, "#/requestBody/payload"), flow);
  // If a flow sends its key, each operation gets the credential that it accepts.
  const { Authorization: authorization, ...others } = values.header;
  const isKey = authorization?.trim() === "Bearer";
  const headers = authorization === undefined || isKey ? others : { ...others, authorization };
  const given = { ...values, headers, body, ...(!isKey && { credentials: {} }) };
  return send(target, given, `${flow.name}, step ${nameOf(step)}`, expected);
}

const nameOf = (step: JsonObject): string => String(step["stepId"]);

function outputsOf({ outputs }: JsonObject, scope: Scope): Record<string, unknown> {
  const pairs = Object.entries(Object(outputs));
  return Object.fromEntries(pairs.map(([name, value]) => [name, evaluate(String(value), scope)]));
}

function reasonIn({ service, answer }: Exchange): string {
  const why = isObject(answer.json?.value) ? answer.json.value["error_message"] : undefined;
  return typeof why === "string" ? ` (${withoutSecrets(why, Object.values(service.credentials))})` : "";
}
