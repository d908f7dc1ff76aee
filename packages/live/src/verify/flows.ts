import { setTimeout as sleep } from "node:timers/promises";
import { isObject, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import { responseOf, type Operation } from "@trainyard/document";
import { requestOf } from "../request.ts";
import type { LiveService } from "../service.ts";
import { lookForIt } from "./clean-up.ts";
import { evaluate, fill, holds, Missing, type Criterion, type Scope } from "./expressions.ts";
import { excerpt } from "./judge-answer.ts";
import { isPerformed, type Run } from "./run.ts";
import type { Exchange } from "./wire.ts";

/** A document of flows (Arazzo 1.0), by the name of its file. */
export interface Flow {
  readonly name: string;
  readonly document: object;
}

/** How many seconds to wait until the criteria of a step hold. */
const longestStep = 15;

/** Runs flows, in a project with a name of its own. */
export async function runFlows(run: Run, flows: readonly Flow[]): Promise<void> {
  const own = `verify-${crypto.randomUUID().slice(0, 8)}`;
  for (const { name, document } of flows) {
    const workflows = isObject(document) && Array.isArray(document["workflows"]) ? document["workflows"] : [];
    for (const workflow of workflows.filter(isObject)) await new Walk(run, name, document, workflow, own).go();
  }
}

/** One workflow while it runs. */
class Walk {
  readonly #run: Run;
  readonly #name: string;
  readonly #document: object;
  readonly #workflow: JsonObject;
  readonly #own: string;
  readonly #inputs: Readonly<Record<string, unknown>>;
  readonly #steps = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(run: Run, name: string, document: object, workflow: JsonObject, own: string) {
    this.#run = run;
    this.#name = `flow ${name}`;
    this.#document = document;
    this.#workflow = workflow;
    this.#own = own;
    const properties = resolvePointer(workflow, "#/inputs/properties");
    const ours: Readonly<Record<string, string>> = { project: own, idempotency_key: `${own}-${name}`, key: "" };
    this.#inputs = Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([input, schema]) => [
        input,
        ours[input] ?? run.options.set[input] ?? (isObject(schema) ? schema["default"] : undefined),
      ]),
    );
  }

  async go(): Promise<void> {
    const steps = Array.isArray(this.#workflow["steps"]) ? this.#workflow["steps"].filter(isObject) : [];
    for (const step of steps) {
      try {
        if (!(await this.#take(step))) return;
      } catch (error) {
        // The earlier step that returned no such value has been reported.
        if (!(error instanceof Missing)) throw error;
      }
    }
  }

  /** Runs a step. Returns false if the workflow ends with it. */
  async #take(step: JsonObject): Promise<boolean> {
    const [service, operation] = this.#operationOf(step);
    if (service === undefined || operation === undefined) return true;
    const scope: Scope = { inputs: this.#inputs, steps: this.#steps };
    const request = this.#requestOf(service, operation, step, scope);
    const tried = `${this.#name}, step ${String(step["stepId"])}`;
    const criteria = criteriaOf(step["successCriteria"]);
    const statuses = criteria
      .flatMap(({ condition }) => /^\$statusCode == (\d+)$/.exec(condition)?.[1] ?? [])
      .map(Number);
    const end = performance.now() + longestStep * 1000;
    for (let attempt = 0; ; attempt++) {
      const exchange = await this.#run.exchange({ service, operation, tried, ...request });
      const { answer } = exchange;
      if (answer.status === 0) return false;
      const here: Scope = { ...scope, answer };
      // A mock returns the values of its document, so only its status is judged.
      const judged = answer.isExample
        ? criteria.filter(({ condition }) => condition.startsWith("$statusCode"))
        : criteria;
      const broken = judged.find((criterion) => !holds(criterion, here));
      if (broken === undefined) {
        await this.#learn(exchange, step, here);
        return true;
      }
      const action = actionsOf(step).find(({ criteria: all }) => all.every((one) => holds(one, here)));
      if (action?.type === "retry" && attempt < action.limit && performance.now() < end) {
        await sleep(Math.min(2000, 1000 * action.after * 1.2 ** attempt), undefined, {
          signal: this.#run.options.signal,
        }).catch(() => undefined);
        continue;
      }
      if (action === undefined) this.#report(exchange, step, broken, statuses, here);
      else
        this.#run.findings.note(
          action.type === "end"
            ? `${tried}: ${action.name.replaceAll("-", " ")}. The rest of this flow was not run.`
            : `${tried}: its criteria did not hold within ${longestStep} s. The rest of this flow was not run.`,
        );
      if (action?.type === undefined) return true;
      return false;
    }
  }

  #report(exchange: Exchange, step: JsonObject, broken: Criterion, statuses: readonly number[], scope: Scope): void {
    const { operation, answer } = exchange;
    if (operation === undefined || exchange.answer.broken !== undefined) return;
    const why = typeof step["description"] === "string" ? step["description"] : "The flow continues.";
    const isStatus = broken.condition.startsWith("$statusCode");
    const wanted = statuses[0] === undefined ? undefined : responseOf(operation, statuses[0]);
    const [expression] = /\$response\.body#[^\s]*/.exec(broken.condition) ?? [];
    const seen =
      expression === undefined ? "the condition does not hold" : JSON.stringify(evaluate(expression, scope) ?? null);
    this.#run.report(exchange, {
      pointer: wanted?.pointer ?? operation.pointer,
      says: isStatus
        ? `${statuses[0]}: ${wanted?.description ?? ""} ${why}`.trim()
        : `${why} ${broken.condition.replaceAll(/\$response\.(body#|header\.)/g, "")}`,
      seen: isStatus ? `status ${answer.status}${excerpt(exchange)}` : seen,
    });
  }

  /** Stores what a response returns: outputs, ids that exist, what was created and deleted. */
  async #learn(exchange: Exchange, step: JsonObject, scope: Scope): Promise<void> {
    const outputs = isObject(step["outputs"]) ? step["outputs"] : {};
    const values = Object.entries(outputs).map(
      ([name, expression]) => [name, evaluate(String(expression), scope)] as const,
    );
    this.#steps.set(String(step["stepId"]), Object.fromEntries(values));
    const { service, operation, path, answer, sent } = exchange;
    if (operation === undefined || !isPerformed(exchange)) return;
    const known = this.#run.known;
    const last = /\{([^}]+)\}$/.exec(operation.path)?.[1];
    if (operation.method === "DELETE" && last !== undefined) {
      const gone = known.created.find(
        (created) => created.path[last] === path[last] && created.deletion.path === operation.path,
      );
      known.created = known.created.filter((created) => created !== gone);
      known.forget(service, last, path[last] ?? "");
      return lookForIt(this.#run, { service, deletion: operation, path });
    }
    for (const [name, value] of Object.entries(path)) known.add(service, name, value);
    const deletion = service.document.operations.find(
      (one) => one.method === "DELETE" && one.path.startsWith(`${operation.path}/{`) && one.path.endsWith("}"),
    );
    const name = deletion && /\{([^}]+)\}$/.exec(deletion.path)?.[1];
    const id = isObject(answer.json?.value) ? answer.json.value["id"] : undefined;
    // Delete only what belongs to the project of this run.
    if (operation.method !== "POST" || deletion === undefined || name === undefined || typeof id !== "string") return;
    if (!(sent.body ?? "").includes(this.#own) || known.created.some((created) => created.path[name] === id)) return;
    known.created.push({ service, deletion, path: { [name]: id }, creation: exchange });
    known.add(service, name, id);
  }

  #operationOf(step: JsonObject): [LiveService | undefined, Operation | undefined] {
    const [, name, id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/.exec(String(step["operationId"])) ?? [];
    const service = this.#run.services.find((one) => one.name === name);
    const operation = service?.document.operations.find((one) => one.id === id);
    return [service, operation];
  }

  #requestOf(
    service: LiveService,
    operation: Operation,
    step: JsonObject,
    scope: Scope,
  ): Pick<Exchange, "sent" | "body" | "path"> {
    const values: Record<"path" | "query" | "header", Record<string, string>> = { path: {}, query: {}, header: {} };
    for (const parameter of [...listOf(this.#workflow["parameters"]), ...listOf(step["parameters"])]) {
      const { in: where, name, value } = this.#followed(parameter);
      if (where === "path" || where === "query" || where === "header")
        values[where][String(name)] = String(fill(value, scope));
    }
    const payload = isObject(step["requestBody"]) ? step["requestBody"]["payload"] : undefined;
    const body = payload === undefined ? undefined : fill(payload, scope);
    // If a flow sends its key, each operation gets the credential that it accepts.
    const { Authorization: authorization, ...headers } = values.header;
    const isKey = authorization?.trim() === "Bearer";
    const sent = requestOf(service, operation, {
      path: values.path,
      query: values.query,
      headers: { ...headers, ...(authorization !== undefined && !isKey && { authorization }) },
      body,
      ...(!isKey && { credentials: {} }),
    });
    return { sent, body, path: values.path };
  }

  #followed(parameter: JsonObject): JsonObject {
    const { reference } = parameter;
    if (typeof reference !== "string") return parameter;
    const target = resolvePointer(this.#document, `#/${reference.replace(/^\$/, "").replaceAll(".", "/")}`);
    return isObject(target) ? target : {};
  }
}

interface Action {
  readonly name: string;
  readonly type: "retry" | "end";
  readonly criteria: readonly Criterion[];
  readonly after: number;
  readonly limit: number;
}

function actionsOf(step: JsonObject): Action[] {
  return listOf(step["onFailure"]).flatMap(({ name, type, criteria, retryAfter, retryLimit }): Action[] =>
    type === "retry" || type === "end"
      ? [
          {
            name: String(name),
            type,
            criteria: criteriaOf(criteria),
            after: Number(retryAfter ?? 1),
            limit: Number(retryLimit ?? 1),
          },
        ]
      : [],
  );
}

function criteriaOf(value: unknown): Criterion[] {
  return listOf(value).map(({ condition, context, type }) => ({
    condition: String(condition),
    ...(typeof context === "string" && { context }),
    ...(typeof type === "string" && { type }),
  }));
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
