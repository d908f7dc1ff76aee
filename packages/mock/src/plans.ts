import { responseOf, type Operation } from "@trainyard/document";
import {
  refuse,
  replacesAnswer,
  type Answer,
  type Arrival,
  type Call,
  type HostCode,
  type PlannedAnswer,
  type Validator,
} from "@trainyard/host";
import type { PendingPlan, RecordedRequest } from "./controls.ts";
import { pageOf, readPlan, type ItemsPlan } from "./check-plan.ts";
import { readPreference } from "./prefer.ts";

interface Planned {
  readonly operation: string;
  readonly answer: ItemsPlan;
  /** Created by the call that planned the response, so that its stack points there. */
  readonly unused: Error;
}

/** Handles requests of one operation. */
export type Answering = (request: RecordedRequest) => unknown;

/** The plans of tests for a service, and the requests that it received. */
export class Plans {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #validator: Validator;
  #planned: Planned[] = [];
  #functions = new Map<string, Answering>();
  #requests: RecordedRequest[] = [];
  /** The records of running requests. */
  readonly #recorded = new WeakMap<Headers, RecordedRequest>();
  #failures: unknown[] = [];
  /** Milliseconds before each response. */
  delayMs = 0;

  constructor(operations: readonly Operation[], validator: Validator) {
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
    this.#validator = validator;
  }

  /** @param planner the function that the test called: the stack of the error for an unused plan begins above it */
  plan(name: string, plan: unknown, planner: (...values: never[]) => unknown): void {
    const answer = readPlan(this.#find(name), plan, this.#validator);
    const unused = new Error(`The response planned for ${name} was never used.`);
    Error.captureStackTrace?.(unused, planner);
    this.#planned.push({ operation: name, answer, unused });
  }

  on(name: string, answer: Answering): void {
    this.#find(name);
    this.#functions.set(name, answer);
  }

  /** Records a request, and returns what happens to it whether it is valid or not. */
  async take(arrival: Arrival): Promise<PlannedAnswer | undefined> {
    const { operation, method, path, params, query, headers } = arrival;
    const { name } = operation;
    this.#record({ operation: name, method, path, params, query, headers, body: await arrival.json() });
    const { delayMs: preferredDelay = 0, status, example } = readPreference(headers);
    const next = this.#next(name);
    if (next !== undefined && !isForValid(next.answer)) {
      this.#use(next);
      return { ...next.answer, delayMs: this.delayMs + preferredDelay + (next.answer.delayMs ?? 0) };
    }
    const delayMs = this.delayMs + preferredDelay;
    // A preferred error is returned without the request that would cause it. A success is only for valid requests, and so
    // is the error for a preference that the operation does not declare.
    if (next !== undefined || status === undefined || status < 300 || !responseOf(operation, status))
      return delayMs > 0 ? { delayMs } : undefined;
    return { status, delayMs, ...(example !== undefined && { example }) };
  }

  /** Returns the response to a valid request: the planned one, or the result of the operation's function; else undefined. */
  async answer({ operation, headers, query }: Call, always: Answer): Promise<Answer> {
    const { name, pagination } = operation;
    const planned = ({ items, ...plan }: ItemsPlan) => {
      const body = items && pageOf(operation, items, query);
      return { planned: body ? { ...plan, body } : plan, otherwise: always };
    };
    const next = this.#next(name);
    if (next !== undefined) {
      const answer = planned(next.answer);
      const isLast = !next.answer.items || Object(answer.planned.body)[pagination?.more ?? ""] !== true;
      if (isLast) this.#use(next);
      return answer;
    }
    const answering = this.#functions.get(name);
    const request = this.#recorded.get(headers);
    if (answering === undefined || request === undefined) return always;
    try {
      const answer = await answering(request);
      return answer === undefined ? always : planned(readPlan(operation, answer, this.#validator));
    } catch (error) {
      this.#failures.push(error);
      const message = `The function of on("${name}") failed: ${error instanceof Error ? error.message : String(error)}`;
      // Prevent a retry, which would get the same response.
      const planned = { headers: { "x-should-retry": "false" } };
      return { planned, otherwise: refuse(500, message, { code: "internal_error" satisfies HostCode }) };
    }
  }

  recorded(operation?: string): RecordedRequest[] {
    if (operation === undefined) return [...this.#requests];
    this.#find(operation);
    return this.#requests.filter((request) => request.operation === operation);
  }

  pending(): PendingPlan[] {
    return this.#planned.map(({ operation, answer }) => ({ operation, answer }));
  }

  /** The failures to report at the end of a test: functions that failed and, on request, unused plans. */
  failure({ pending }: { readonly pending: boolean }): unknown {
    if (this.#failures.length > 0) return this.#failures[0];
    const [first, ...rest] = pending ? this.#planned : [];
    if (first !== undefined && rest.length > 0) {
      const names = this.#planned.map(({ operation }) => operation).join(", ");
      first.unused.message = `${this.#planned.length} planned responses were never used: ${names}. This is the first.`;
    }
    return first?.unused;
  }

  reset(): void {
    this.#planned = [];
    this.#functions.clear();
    this.#requests = [];
    this.#failures = [];
    this.delayMs = 0;
  }

  #next(name: string): Planned | undefined {
    return this.#planned.find(({ operation }) => operation === name);
  }

  #use(used: Planned): void {
    this.#planned = this.#planned.filter((planned) => planned !== used);
  }

  #record(request: RecordedRequest): void {
    this.#recorded.set(request.headers, request);
    this.#requests.push(request);
    if (this.#requests.length > 1000) this.#requests.shift();
  }

  #find(name: string): Operation {
    const operation = this.#operations.get(name);
    if (operation !== undefined) return operation;
    throw new Error(`There is no operation "${name}". There are: ${[...this.#operations.keys()].join(", ")}.`);
  }
}

/** Whether a plan is a success, which only valid requests get. */
function isForValid(answer: ItemsPlan): boolean {
  return (
    (replacesAnswer(answer) || answer.items !== undefined) && (answer.status ?? 200) < 400 && answer.disconnect !== true
  );
}
