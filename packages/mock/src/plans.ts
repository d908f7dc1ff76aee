import { responseOf } from "@trainyard/document";
import type { Arrival, PlannedAnswer } from "@trainyard/host";
import type { RecordedRequest } from "./controls.ts";
import { readPreference } from "./prefer.ts";

/** What tests have told a service, and what it tells them. */
export class Plans {
  #names: ReadonlySet<string>;
  #planned = new Map<string, PlannedAnswer[]>();
  #requests: RecordedRequest[] = [];
  /** Milliseconds that each answer waits. */
  delayMs = 0;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  plan(operation: string, answer: PlannedAnswer): void {
    this.#check(operation);
    this.#planned.set(operation, [...(this.#planned.get(operation) ?? []), answer]);
  }

  /** Records a request, and says how it is to be answered: as a test planned, else as the request prefers. */
  async take(arrival: Arrival): Promise<PlannedAnswer | undefined> {
    const { operation, method, path, params, query, headers } = arrival;
    const { name } = operation;
    this.#record({ operation: name, method, path, params, query, headers, body: await arrival.json() });
    const planned = this.#planned.get(name)?.shift();
    const preferred = readPreference(headers);
    const delayMs = this.delayMs + (planned?.delayMs ?? 0) + (preferred.delayMs ?? 0);
    if (planned !== undefined) return { ...planned, delayMs };
    const { status, example } = preferred;
    // Who prefers an error gets it, without the request that would provoke it. A success is for requests that are valid, and
    // so is the answer to who prefers what the operation does not declare.
    if (status === undefined || status < 300 || !responseOf(operation, status))
      return delayMs > 0 ? { delayMs } : undefined;
    return { status, delayMs, ...(example !== undefined && { example }) };
  }

  recorded(operation?: string): RecordedRequest[] {
    if (operation === undefined) return [...this.#requests];
    this.#check(operation);
    return this.#requests.filter((request) => request.operation === operation);
  }

  reset(): void {
    this.#planned.clear();
    this.#requests = [];
    this.delayMs = 0;
  }

  #record(request: RecordedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > 1000) this.#requests.shift();
  }

  #check(operation: string): void {
    if (this.#names.has(operation)) return;
    throw new Error(`There is no operation "${operation}". There are: ${[...this.#names].join(", ")}.`);
  }
}
