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
import { send, type Run, type Target } from "./run.ts";
import { isPerformed, type Exchange } from "./wire.ts";

const require = createRequire(import.meta.url);

/** A document of flows (Arazzo 1.0), by the name of its file. */
export interface Flow {
  readonly name: string;
  readonly document: object;
}

/** The flows of the guides, copied when the package was built. */
export function flows(): Flow[] {
  const all: unknown = require("@trainyard/live/flows.json");
  return Object.entries(isObject(all) ? all : {}).flatMap(([name, document]) =>
    isObject(document) ? [{ name, document }] : [],
  );
}

/** How many seconds to wait until the criteria of a step hold. */
const longestStep = 15;

/** Runs flows, in the run's own project. */
export async function runFlows(run: Run, flows: readonly Flow[]): Promise<void> {
  for (const { name, document } of flows) {
    const workflows = objectsIn(resolvePointer(document, "#/workflows"));
    for (const workflow of workflows) await new WorkflowRun(run, name, document, workflow).go();
  }
}

/** One workflow while it runs. */
class WorkflowRun {
  readonly #run: Run;
  readonly #name: string;
  readonly #document: object;
  readonly #workflow: JsonObject;
  readonly #inputs: Readonly<Record<string, unknown>>;
  readonly #steps = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(run: Run, name: string, document: object, workflow: JsonObject) {
    this.#run = run;
    this.#name = `flow ${name}`;
    this.#document = document;
    this.#workflow = workflow;
    const properties = resolvePointer(workflow, "#/inputs/properties");
    const { own } = run;
    const ours: Readonly<Record<string, string>> = { project: own, idempotency_key: `${own}-${name}`, key: "" };
    this.#inputs = Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([input, schema]) => [
        input,
        ours[input] ?? run.options.set?.[input] ?? (isObject(schema) ? schema["default"] : undefined),
      ]),
    );
  }

  async go(): Promise<void> {
    const steps = objectsIn(this.#workflow["steps"]);
    for (const [index, step] of steps.entries()) {
      try {
        const why = await this.#take(step);
        if (why === undefined) continue;
        const stopped = `${this.#name} stopped at step ${nameOf(step)}: ${why}`;
        for (const target of steps.slice(index).map((one) => this.#targetOf(one)))
          if (target !== undefined) this.#run.stopped.set(target.operation, stopped);
        this.#run.findings.notes.add(`${stopped}. The rest of it was not run.`);
        return;
      } catch (error) {
        // The earlier step that returned no such value has been reported.
        if (!(error instanceof Missing)) throw error;
      }
    }
  }

  /** Runs a step. Returns why the workflow ends with it; undefined if it does not. */
  async #take(step: JsonObject): Promise<string | undefined> {
    const target = this.#targetOf(step);
    if (target === undefined) return undefined;
    if (lacksKey(target)) return "it needs a key";
    const criteria = objectsIn(step["successCriteria"]);
    const statuses = criteria
      .flatMap(({ condition }) => /^\$statusCode == (\d+)$/.exec(String(condition))?.[1] ?? [])
      .map(Number);
    const end = performance.now() + longestStep * 1000;
    for (let attempt = 0; ; attempt++) {
      const [exchange, here] = await this.#send(target, step);
      const { answer } = exchange;
      if (answer.status === 0) return "the service did not respond";
      // A mock returns the values of its document, so only its status is judged.
      const broken = criteria.find(
        (one) => (!answer.isExample || String(one["condition"]).startsWith("$statusCode")) && !holds(one, here),
      );
      if (broken === undefined) {
        await this.#learn(exchange, step, here);
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
          signal: this.#run.options.signal,
        }).catch(() => undefined);
        continue;
      }
      if (answer.status === 404 && !statuses.includes(404) && (await this.#isOutdated()))
        return "what an earlier step found has been deleted meanwhile";
      this.#report(exchange, step, broken, statuses, here);
      return undefined;
    }
  }

  /** Whether an earlier step that read something now reads something else: others may delete what a flow uses. */
  async #isOutdated(): Promise<boolean> {
    for (const step of objectsIn(this.#workflow["steps"]).filter((one) => this.#steps.has(nameOf(one)))) {
      const target = this.#targetOf(step);
      if (target?.operation.method !== "GET") continue;
      const [exchange, here] = await this.#send(target, step);
      const [before, now] = [this.#steps.get(nameOf(step)), outputsOf(step, here)];
      if (isPerformed(exchange) && JSON.stringify(now) !== JSON.stringify(before)) return true;
    }
    return false;
  }

  #report(exchange: Exchange, step: JsonObject, broken: JsonObject, statuses: readonly number[], scope: Scope): void {
    const { operation, answer } = exchange;
    if (operation === undefined || answer.broken !== undefined) return;
    const why = typeof step["description"] === "string" ? step["description"] : "The flow continues.";
    const condition = String(broken["condition"]);
    const wanted = statuses[0] === undefined ? undefined : responseOf(operation, statuses[0]);
    const { pointer } = wanted ?? operation;
    if (condition.startsWith("$statusCode")) {
      const says = `${statuses[0]}: ${wanted?.description ?? ""} ${why}`.trim();
      return this.#run.report(exchange, { pointer, says, seen: `status ${answer.status}${excerpt(exchange)}` });
    }
    const [expression] = /\$response\.body#[^\s]*/.exec(condition) ?? [];
    const value = expression && (JSON.stringify(evaluate(expression, scope)) ?? "null");
    this.#run.report(exchange, {
      pointer,
      says: `${why} ${condition.replaceAll(/\$response\.(body#|header\.)/g, "")}`,
      seen: `${value ?? "the condition does not hold"}${reasonIn(exchange)}`,
    });
  }

  /** Stores what a response returns: outputs, ids that exist, what was deleted. */
  async #learn(exchange: Exchange, step: JsonObject, scope: Scope): Promise<void> {
    this.#steps.set(nameOf(step), outputsOf(step, scope));
    const { service, operation, path } = exchange;
    if (operation === undefined || !isPerformed(exchange)) return;
    const last = /\{([^}]+)\}$/.exec(operation.path)?.[1];
    if (operation.method === "DELETE" && last !== undefined) {
      const gone = this.#run.created.find(
        (created) => created.path[last] === path[last] && created.deletion === operation,
      );
      this.#run.created = this.#run.created.filter((created) => created !== gone);
      this.#run.ids(service, operation.path, last).delete(path[last] ?? "");
      return lookForIt(this.#run, operation, exchange);
    }
    for (const [name, value] of Object.entries(path)) this.#run.ids(service, operation.path, name).add(value);
  }

  #targetOf(step: JsonObject): Target | undefined {
    const [, name, id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/.exec(String(step["operationId"])) ?? [];
    const service = this.#run.services.find((one) => one.name === name);
    const operation = service?.document.operations.find((one) => one.id === id);
    return service && operation && { run: this.#run, service, operation };
  }

  async #send(target: Target, step: JsonObject): Promise<[Exchange, Scope]> {
    const scope: Scope = { inputs: this.#inputs, steps: this.#steps };
    const values: Record<"path" | "query" | "header", Record<string, string>> = { path: {}, query: {}, header: {} };
    for (const parameter of [...objectsIn(this.#workflow["parameters"]), ...objectsIn(step["parameters"])]) {
      // A parameter may be one of the flow's components.
      const pointer = textOf(parameter["reference"]).replace(/^\$/, "#/").replaceAll(".", "/");
      const { in: where, name, value }: JsonObject = Object(resolvePointer(this.#document, pointer) ?? parameter);
      if (where === "path" || where === "query" || where === "header")
        values[where][String(name)] = String(fill(value, scope));
    }
    const body = fill(resolvePointer(step, "#/requestBody/payload"), scope);
    // If a flow sends its key, each operation gets the credential that it accepts.
    const { Authorization: authorization, ...others } = values.header;
    const isKey = authorization?.trim() === "Bearer";
    const headers = authorization === undefined || isKey ? others : { ...others, authorization };
    const given = { ...values, headers, body, ...(!isKey && { credentials: {} }) };
    const exchange = await send(target, given, `${this.#name}, step ${nameOf(step)}`);
    return [exchange, { ...scope, answer: exchange.answer }];
  }
}

function nameOf(step: JsonObject): string {
  return String(step["stepId"]);
}

/** The values that a step keeps of its response. */
function outputsOf({ outputs }: JsonObject, scope: Scope): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(isObject(outputs) ? outputs : {}).map(([name, value]) => [name, evaluate(String(value), scope)]),
  );
}

/** Why a job failed, as its response says. */
function reasonIn({ service, answer }: Exchange): string {
  const why = isObject(answer.json?.value) ? answer.json.value["error_message"] : undefined;
  return typeof why === "string" ? ` (${withoutSecrets(why, Object.values(service.credentials))})` : "";
}
