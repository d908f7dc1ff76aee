import { setTimeout as sleep } from "node:timers/promises";
import { isObject, joinPointer } from "@trainyard/core/validation";
import {
  mediaFor,
  responseOf,
  type Basis,
  type Document,
  type DocumentResponse,
  type Operation,
} from "@trainyard/document";
import { pathNames, type LiveService } from "../contract.ts";
import { requestOf, type Sent, type Values } from "../request.ts";
import { cut } from "../text.ts";
import { Findings, shownRequest, type Breach, type Finding } from "./findings.ts";
import type { Flow } from "./flows.ts";
import { excerpt, judgeAnswer } from "./judge-answer.ts";
import { headersOf } from "./probes/requests.ts";
import { objectsIn, State } from "./rules/rule.ts";
import { ask, isPerformed, type Answer, type Exchange } from "./wire.ts";

export interface VerifyOptions {
  /** The flows to run, which create resources. Without them, only a request that the service should reject can create one. */
  readonly write?: readonly Flow[] | undefined;
  /** Whether to send only requests that change nothing, even if the service accepts what it should reject. */
  readonly read?: boolean | undefined;
  /** The maximum number of calls. Default: 400, or 1000 with flows. */
  readonly budget?: number | undefined;
  /** Values by the name of a parameter or of a property of a body: `{ model: "demo/tiny" }`. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** The weakest basis of what the service must keep; what contradicts a weaker one differs from a proposal. Default: `adopted`. */
  readonly basis?: Basis | undefined;
  /** The names of the operations to check. Default: all. */
  readonly operations?: readonly string[] | undefined;
  /** Ends the run. What it created is deleted first. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each request, with what it tries in a few words: `without a key`. */
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
  readonly onFinding?: ((finding: Finding) => void) | undefined;
}

/** The statuses that a request may return, and where the contract says so. Without words, others are not reported. */
export interface Expected extends Pick<Breach, "says" | "basis" | "isAdopted"> {
  readonly statuses: readonly number[];
  readonly pointer?: string | undefined;
}

export interface Target {
  readonly run: Run;
  readonly service: LiveService;
  readonly operation: Operation;
}

export interface Created extends Pick<Exchange, "service" | "path"> {
  readonly id: string;
  readonly deletion: Operation | undefined;
  /** The path at which it is read or deleted; empty if it has none, or if it may be of somebody else. */
  readonly item: string;
  readonly creation: Exchange;
  /** Whether the service should have rejected that request. */
  readonly isAccident: boolean;
  /** Why the run cannot delete it; undefined if it can. */
  readonly remains: string | undefined;
  isDeleted: boolean;
}

/** The project and the name in the body of a creation: `, project verify-1, name agent-1`; empty if it has none. */
export function nameOf({ body }: Pick<Exchange, "body">): string {
  const names = Object.entries(Object(body)).filter(([name]) => name === "project" || name === "name");
  return names.map(([name, value]) => `, ${name} ${String(value)}`).join("");
}

export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** The calls that are reserved for each deletion: the deletion, and a look whether it is gone. */
const forDeletion = 2;

/** The longest wait before one retry, and before all of them together, in seconds. */
const longestWait = 20;
const longestWaits = 40;

/** One verification of some services: sends and judges requests, counts them, and keeps the findings. */
export class Run {
  readonly services: readonly LiveService[];
  readonly options: VerifyOptions;
  readonly set: ReadonlyMap<string, string>;
  readonly budget: number;
  readonly findings: Findings;
  readonly state: State = new State();
  /** The name of what this run creates, and the project that it creates it in. Nothing else uses it. */
  readonly own: string = `verify-${crypto.randomUUID().slice(0, 8)}`;
  created: Created[] = [];
  /** Whether a service accepts any key and marks its responses as examples, as a mock does. */
  readonly takesAnyKey: Map<LiveService, boolean> = new Map();
  /** The operations that were not called with the key in a wrong place, because their service is not on this machine. */
  readonly withheld: Set<Operation> = new Set();
  /** Ids that exist, by service and the start of the path before them. */
  readonly #ids = new Map<string, Set<string>>();
  /** How often each declared response was seen. */
  readonly seen: Map<DocumentResponse, number> = new Map();
  /** What an operation without path parameters returned instead of what is declared; undefined once something fits. */
  readonly #strange: Map<Operation, string | undefined> = new Map();
  /** Services that another document describes, each with a sentence. */
  readonly misfits: Map<LiveService, string> = new Map();
  /** Whether it sends nothing itself, and judges the requests of others. */
  isPassive = false;
  /** Why it ended before everything was checked; undefined if it did not. */
  ended: string | undefined;
  readonly stopped: Map<Operation, string> = new Map();
  sent = 0;
  #waited = 0;

  constructor(services: readonly LiveService[], options: VerifyOptions) {
    this.services = services;
    this.options = options;
    this.set = new Map(Object.entries(options.set ?? {}));
    this.findings = new Findings(options.basis ?? "adopted");
    this.budget = options.budget ?? (options.write === undefined ? 400 : 1000);
  }

  targets(): Target[] {
    const { operations: only } = this.options;
    const fitting = this.services.filter((service) => !this.misfits.has(service));
    return fitting.flatMap((service) =>
      service.document.operations
        .filter(({ name }) => only?.includes(name) ?? true)
        .map((operation) => ({ run: this, service, operation })),
    );
  }

  /** The calls that are not reserved for deletions. */
  get spare(): number {
    const deletions = this.created.filter(({ remains }) => remains === undefined).length;
    return this.budget - this.sent - forDeletion * deletions;
  }

  /**
   * Sends a request, and judges the response and its status. Retries it up to twice if the response says when.
   *
   * @param isLast whether it may use the calls that are reserved for deletions
   * @throws {@link BudgetSpent}, or the signal's reason
   */
  async exchange(request: Omit<Exchange, "answer">, expected?: Expected, isLast = false): Promise<Exchange> {
    const { signal, onRequest } = this.options;
    for (let attempt = 0; ; attempt++) {
      if (!isLast) signal?.throwIfAborted();
      // What this request creates must be deleted, too.
      const reserved = request.operation?.safe === true ? 0 : forDeletion;
      if ((isLast ? this.budget - this.sent : this.spare - reserved) <= 0)
        throw new BudgetSpent("The budget has no calls left.");
      this.sent++;
      onRequest?.(request.sent, request.tried);
      const answer = await ask(request.service.fetch ?? fetch, request.sent);
      const exchange = { ...request, answer, expected: expected?.statuses };
      this.#learn(exchange);
      this.see(exchange);
      const seconds = attempt < 2 ? retryAfter(answer) : undefined;
      if (seconds === undefined || seconds > longestWait || this.#waited + seconds > longestWaits) {
        if (expected !== undefined) this.expect(exchange, expected);
        return exchange;
      }
      this.#waited += seconds;
      await sleep(seconds * 1000, undefined, { signal: isLast ? undefined : signal }).catch(() => undefined);
    }
  }

  see(exchange: Exchange): void {
    const { service, operation, sent, answer, tried } = exchange;
    if (answer.status !== 0 && !answer.isExample) this.state.checked.add(`${service.name} ${tried}`);
    const response = operation && responseOf(operation, answer.status);
    if (response && sent.method !== "HEAD") this.seen.set(response, (this.seen.get(response) ?? 0) + 1);
    if (operation !== undefined && answer.status !== 0 && !operation.path.includes("{")) {
      const fits = this.#strange.has(operation) && this.#strange.get(operation) === undefined;
      this.#strange.set(operation, fits ? undefined : strangenessOf(operation, answer));
    }
    judgeAnswer(this, exchange);
  }

  /** Whether a service has none of the operations that were called, at least so many: it is not that of the document. */
  isMisfit(service: LiveService, least: number): boolean {
    const called = service.document.operations.filter((operation) => this.#strange.has(operation));
    if (called.length < least || this.options.operations !== undefined) return false;
    const seen = called.flatMap((one) => this.#strange.get(one) ?? []);
    if (seen.length < called.length) return false;
    const { baseUrl, document } = service;
    const meant = baseUrl.endsWith(document.prefix) ? "" : ` Did you mean ${baseUrl}${document.prefix}?`;
    const some = `${seen.slice(0, 3).join(", ")}${seen.length > 3 ? ", …" : ""}`;
    const says = `The document of ${service.name} does not fit the service at ${baseUrl}: it has none of the ${called.length} operations that were called (${some}).${meant} Check --base-url and --document.`;
    this.misfits.set(service, says);
    return true;
  }

  ids(service: LiveService, path: string, name: string): Set<string> {
    const key = `${service.name} ${path.slice(0, path.indexOf(`{${name}}`))}`;
    const ids = this.#ids.get(key) ?? new Set();
    this.#ids.set(key, ids);
    return ids;
  }

  /** Remembers which ids exist, and what a request created or may have created. */
  #learn(creation: Exchange): void {
    const { service, operation, sent, body, answer, expected } = creation;
    const mayCreate = operation?.safe !== true && !/^(GET|HEAD|DELETE)$/.test(sent.method);
    if (mayCreate && answer.broken !== undefined && answer.status < 400) {
      const what = typeof sent.body === "string" ? `what it creates from ${cut(sent.body)}` : "what it creates";
      const lost = `${operation?.name ?? "an unknown operation"}: no complete response to ${shownRequest(creation)}`;
      this.findings.notes.add(`${service.name} ${lost}, so ${what} may exist.`);
    }
    if (!isPerformed(creation)) return;
    if (operation?.method === "GET") this.#learnIds(operation, creation);
    const at = operation?.path ?? sent.url.slice(service.baseUrl.length);
    const items = itemsOf(service, at);
    const isOfOurs = isOurs(service.document);
    const deletion = items.find(({ method }) => method === "DELETE");
    const [item = deletion] = isOfOurs ? [] : items;
    const name = (item && pathNames(item).at(-1)) ?? "";
    const [value, data] = [answer.json?.value, Object(answer.json?.value)["data"]].map(Object);
    const found = isOfOurs ? value["id"] : (value[name] ?? value["id"] ?? data[name] ?? data["id"]);
    const isAccident = operation === undefined || expected?.includes(answer.status) === false;
    // A service may return what exists, unless the request has the run's own names, or none.
    const hasNone = !isObject(body) || Object.keys(body).length === 0;
    const isNew = answer.status === 201 || String(sent.body).includes(this.own) || hasNone;
    const foreign = isNew ? undefined : "it may be older than this run";
    const isId = typeof found === "string" || typeof found === "number";
    // A creation without an id has created something, too.
    if (!mayCreate || (sent.method !== "POST" && !isOfOurs)) return;
    if (!isId && (item === undefined || isAccident)) return;
    const id = isId ? String(found) : "unknown";
    const isSame = (one: Created): boolean =>
      one.id === id && one.deletion === deletion && nameOf(one.creation) === nameOf(creation);
    if (this.created.some((one) => one.service === service && isSame(one))) return;
    const remains = deletion === undefined ? "the contract has no operation that deletes it" : foreign;
    if (isOfOurs && !isAccident && remains !== undefined) return;
    const path = { ...creation.path, [name]: id };
    const known = foreign === undefined && isId ? (item?.path ?? "") : "";
    this.created.push({ service, id, deletion, item: known, path, creation, isAccident, remains, isDeleted: false });
    if (known !== "" && !isAccident) this.ids(service, known, name).add(id);
  }

  /** The ids in a path that was read, and those of the first items of a list, for the operations below it. */
  #learnIds({ path: at }: Operation, { service, path, answer }: Exchange): void {
    for (const [name, id] of Object.entries(path)) this.ids(service, at, name).add(id);
    const found = answer.json?.value;
    const items = Array.isArray(found) ? found : Object.values(Object(found)).find(Array.isArray);
    const below = service.document.operations.find((one) => one.path.startsWith(`${at}/{`))?.path ?? "";
    const [, name] = /^\/\{([^}]+)\}(?:\/|$)/.exec(below.slice(at.length)) ?? [];
    if (name === undefined) return;
    for (const item of objectsIn(items).slice(0, 2)) {
      const id = item[name] ?? item["id"];
      if (typeof id === "string" || typeof id === "number") this.ids(service, below, name).add(String(id));
    }
  }

  report(exchange: Exchange, breach: Breach): void {
    const added = this.findings.add(exchange, breach);
    if (added !== undefined) this.options.onFinding?.(added);
  }

  expect(exchange: Exchange, { statuses, pointer, ...breach }: Expected): void {
    const { answer, operation } = exchange;
    const responses = operation ? joinPointer(operation.pointer, "responses") : "#";
    // A mock returns an example without looking anything up, so its status is not judged.
    if (breach.says === "" || answer.status === 0 || answer.isExample || statuses.includes(answer.status)) return;
    const tried = operation?.name ?? exchange.tried;
    if (answer.status === 429)
      return void this.findings.notes.add(`${tried}: not checked, because the service had too many requests.`);
    const location = answer.headers.get("location");
    const to = answer.status >= 300 && answer.status < 400 && location !== null ? ` to ${location}` : "";
    const seen = `status ${answer.status}${to}${excerpt(exchange)}`;
    this.report(exchange, { pointer: pointer ?? responses, ...breach, seen });
  }
}

export async function send(
  { run, service, operation }: Target,
  values: Values,
  tried: string,
  expected?: Expected,
  { method = operation.method, isLast = false }: { readonly method?: string; readonly isLast?: boolean } = {},
): Promise<Exchange> {
  const headers = { ...headersOf({ run, service, operation }), ...values.headers };
  const sent = { ...(await requestOf(service, operation, { ...values, headers })), method };
  const { body, path = {} } = values;
  return run.exchange({ service, operation, sent, body, path, tried }, expected, isLast);
}

/** The operations that read or delete an item of what is at a path. */
export function itemsOf({ document }: LiveService, at: string): Operation[] {
  const isItem = ({ path }: Operation) => path.startsWith(`${at}/`) && /^\/\{[^{}/]+\}$/.test(path.slice(at.length));
  return document.operations.filter((one) => (one.method === "GET" || one.method === "DELETE") && isItem(one));
}

/** What says that the service does not know an operation: `GET /models: status 404`; undefined for any other response. */
function strangenessOf(operation: Operation, { status, headers }: Answer): string | undefined {
  const { content } = responseOf(operation, status) ?? {};
  const type = headers.get("content-type") ?? "";
  const start = `${operation.method} ${operation.path}:`;
  if (status === 404 || status === 405 || (status < 400 && !content)) return `${start} status ${status}`;
  return status < 300 && content?.size && !mediaFor(content, type) ? `${start} Content-Type: ${type}` : undefined;
}

/** Whether a document says on which basis its service must keep it. Of what a stranger's is silent about, nothing is said. */
export function isOurs(part: Operation | Document): boolean {
  return "operations" in part ? part.operations.some(isOurs) : part.basis !== undefined;
}

/** The wait before a retry in seconds; undefined if the request is not retried. */
function retryAfter({ status, headers }: Answer): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.now()) / 1000;
  // A date in the past may come from a clock that is wrong.
  return seconds > 0 ? seconds : 0.2;
}
