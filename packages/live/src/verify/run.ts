import { joinPointer } from "@trainyard/core/validation";
import { responseOf, type Operation } from "@trainyard/document";
import { validatorOf, type Validator } from "@trainyard/host/validator";
import { requestOf, type Sent, type Values } from "../request.ts";
import type { LiveService } from "../service.ts";
import { excerpt, judgeAnswer } from "./judge-answer.ts";
import { Known } from "./known.ts";
import { Findings, type Breach } from "./report.ts";
import { State } from "./rules/rule.ts";
import { Wire, type Answer, type Exchange } from "./wire.ts";

/** The statuses that a request may return, and where the contract says so. */
export interface Expected {
  /** `success` stands for every success status that the operation declares. */
  readonly statuses: readonly number[] | "success";
  /** What the contract says, as a sentence. */
  readonly says: string;
  /** Where the contract says it. The operation's responses by default. */
  readonly pointer?: string;
  readonly basis?: Breach["basis"];
}

/** The options of a run. */
export interface RunOptions {
  readonly budget: number;
  /** Values by the name of a parameter or of a property of a body, for what the examples of a document cannot know. */
  readonly set: Readonly<Record<string, string>>;
  /** Whether it runs flows. */
  readonly writes: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
  /** Whether to check an operation. Default: all. */
  readonly only?: ((service: string, operation: string) => boolean) | undefined;
}

/** One verification of some services: counts and judges what it sends, and keeps the findings. */
export class Run {
  readonly services: readonly LiveService[];
  readonly options: RunOptions;
  readonly findings: Findings = new Findings();
  readonly known: Known = new Known();
  readonly state: State = new State();
  /** The name of what this run creates, and the project that it creates it in. Nothing else uses it. */
  readonly own: string = `verify-${crypto.randomUUID().slice(0, 8)}`;
  /** The declared statuses that were seen. */
  readonly seen: Map<Operation, Set<string>> = new Map();
  /** Why it ended before everything was checked; undefined if it did not. */
  ended: string | undefined;
  /** Why flows did not call an operation. */
  readonly stopped: Map<Operation, string> = new Map();
  readonly wire: Wire;

  constructor(services: readonly LiveService[], options: RunOptions) {
    this.services = services;
    this.options = options;
    this.wire = new Wire({
      budget: options.budget,
      reserve: () => this.known.created.filter(({ remains }) => remains === undefined).length,
      signal: options.signal,
      onRequest: options.onRequest,
      seen: (exchange) => {
        const { operation, sent, answer } = exchange;
        if (answer.status !== 0 && !answer.isExample)
          this.state.checked.add(`${exchange.service.name} ${exchange.tried}`);
        if (isPerformed(exchange)) this.known.learn(exchange, this.own);
        const status = operation && responseOf(operation, answer.status)?.status;
        if (operation !== undefined && status !== undefined && sent.method !== "HEAD")
          this.seen.set(operation, (this.seen.get(operation) ?? new Set()).add(status));
        judgeAnswer(this, exchange);
      },
    });
  }

  /** Sends a request that is built from the document, and judges the response. */
  send(
    service: LiveService,
    operation: Operation,
    values: Values,
    { tried = "", expected, method }: { tried?: string; expected?: Expected; method?: string } = {},
  ): Promise<Exchange> {
    const sent = requestOf(service, operation, values);
    return this.exchange(
      {
        service,
        operation,
        sent: method === undefined ? sent : { ...sent, method },
        body: values.body,
        path: values.path ?? {},
        tried,
      },
      expected,
    );
  }

  /** Sends a request, and checks its response against the expected statuses. */
  async exchange(
    exchange: Omit<Exchange, "answer" | "expected">,
    expected?: Expected,
    isLast = false,
  ): Promise<Exchange> {
    const statuses = expected && statusesOf(exchange.operation, expected);
    const whole = await this.wire.send({ ...exchange, expected: statuses }, isLast);
    if (expected !== undefined) this.expect(whole, expected);
    return whole;
  }

  /** The validator of a service's document. */
  validator({ document: { root } }: LiveService): Validator {
    return validatorOf(root);
  }

  /** Reports a finding that follows from several responses. It quotes the last of them. */
  report(exchange: Exchange, breach: Breach): void {
    this.findings.add(exchange, breach);
  }

  /** Checks a response against the expected statuses. */
  expect(exchange: Exchange, expected: Expected): void {
    const { answer, operation } = exchange;
    const { says, pointer, basis } = expected;
    const statuses = statusesOf(operation, expected);
    if (answer.status === 0 || statuses.includes(answer.status)) return;
    // A mock returns an example without looking anything up, so its status is not judged.
    if (answer.isExample) return;
    this.findings.add(exchange, {
      pointer: pointer ?? (operation ? joinPointer(operation.pointer, "responses") : "#"),
      says,
      seen: `status ${answer.status}${whereTo(answer)}${excerpt(exchange)}`,
      ...(basis !== undefined && { basis }),
    });
  }
}

function whereTo({ status, headers }: Answer): string {
  const location = headers.get("location");
  return status >= 300 && status < 400 && location !== null ? ` to ${location}` : "";
}

function statusesOf(operation: Operation | undefined, { statuses }: Expected): readonly number[] {
  if (statuses !== "success") return statuses;
  const declared = [...(operation?.responses.keys() ?? [])].filter((status) => /^2\d\d$/.test(status)).map(Number);
  return declared.length > 0 ? declared : [200];
}

/** Whether a response is a success that the service performed, and not an example. */
export function isPerformed({ answer }: Exchange): boolean {
  return answer.status >= 200 && answer.status < 300 && !answer.isExample && answer.broken === undefined;
}
