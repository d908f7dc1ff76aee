import { responseOf, type Operation } from "@trainyard/document";
import { refuse, replacesAnswer, type Answer, type Arrival, type Call, type PlannedAnswer } from "@trainyard/host";
import type { PendingPlan, RecordedRequest } from "./controls.ts";
import { readPreference } from "./prefer.ts";

/** Reads a plan for an operation. Throws TypeError for what is none. */
export type ReadPlan = (operation: Operation, plan: unknown) => PlannedAnswer;

interface Planned {
  readonly operation: string;
  readonly answer: PlannedAnswer;
  /** Made where it was planned, for who asks what became of it. */
  readonly unused: Error;
}

/** Answers requests of one operation. */
export type Answering = (request: RecordedRequest) => unknown;

/** What tests have told a service, and what it tells them. */
export class Plans {
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #read: ReadPlan;
  #planned: Planned[] = [];
  #functions = new Map<string, Answering>();
  #requests: RecordedRequest[] = [];
  /** Of requests under way: what was recorded of them. */
  readonly #recorded = new WeakMap<Headers, RecordedRequest>();
  #failures: unknown[] = [];
  /** Milliseconds that each answer waits. */
  delayMs = 0;

  constructor(operations: readonly Operation[], read: ReadPlan) {
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
    this.#read = read;
  }

  /** @param planner the function that a test has called: the error of a plan that is never used begins there */
  plan(name: string, plan: unknown, planner: (...values: never[]) => unknown): void {
    const answer = this.#read(this.#find(name), plan);
    const unused = new Error(`The answer planned for ${name} was never used.`);
    Error.captureStackTrace?.(unused, planner);
    this.#planned.push({ operation: name, answer, unused });
  }

  on(name: string, answer: Answering): void {
    this.#find(name);
    this.#functions.set(name, answer);
  }

  /** Records a request, and says what happens to it whether it is valid or not. */
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
    // Who prefers an error gets it, without the request that would provoke it. A success is for requests that are valid, and
    // so is the answer to who prefers what the operation does not declare.
    if (next !== undefined || status === undefined || status < 300 || !responseOf(operation, status))
      return delayMs > 0 ? { delayMs } : undefined;
    return { status, delayMs, ...(example !== undefined && { example }) };
  }

  /** Says how a valid request is answered: as it was planned, or by the operation's function; else as always. */
  async answer({ operation, headers }: Call, always: Answer): Promise<Answer> {
    const { name } = operation;
    const next = this.#next(name);
    if (next !== undefined) {
      this.#use(next);
      return { planned: next.answer, otherwise: always };
    }
    const answering = this.#functions.get(name);
    const request = this.#recorded.get(headers);
    if (answering === undefined || request === undefined) return always;
    try {
      const answer = await answering(request);
      return answer === undefined ? always : { planned: this.#read(operation, answer), otherwise: always };
    } catch (error) {
      this.#failures.push(error);
      const message = `The function of on("${name}") failed: ${error instanceof Error ? error.message : String(error)}`;
      // A client that sends it again would only wait for the same.
      const planned = { headers: { "x-should-retry": "false" } };
      return { planned, otherwise: refuse(500, message, { code: "mock_failed" }) };
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

  /** What a test should be told at its end: functions that failed, and, if asked, plans that were never used. */
  failure({ pending }: { readonly pending: boolean }): unknown {
    if (this.#failures.length > 0) return this.#failures[0];
    const [first, ...more] = pending ? this.#planned : [];
    if (first !== undefined && more.length > 0) {
      const names = this.#planned.map(({ operation }) => operation).join(", ");
      first.unused.message = `${this.#planned.length} planned answers were never used: ${names}. This is the first.`;
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

/** Whether a plan is a success: it answers requests that are valid, and no others. */
function isForValid(answer: PlannedAnswer): boolean {
  return replacesAnswer(answer) && (answer.status ?? 200) < 400 && answer.disconnect !== true;
}
