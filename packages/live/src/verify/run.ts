import { joinPointer } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import { validatorOf, type Validator } from "@trainyard/host/validator";
import { requestOf, type Sent, type Values } from "../request.ts";
import type { LiveService } from "../service.ts";
import { excerpt, judgeAnswer } from "./judge-answer.ts";
import { Known } from "./known.ts";
import { Findings, type Breach } from "./report.ts";
import { Wire, type Answer, type Exchange } from "./wire.ts";

/** Which statuses a request may be answered with, and where the contract says so. */
export interface Expected {
  /** `success` is every success that the operation declares. */
  readonly statuses: readonly number[] | "success";
  /** What the contract says, as a sentence. */
  readonly says: string;
  /** The responses of the operation by default. */
  readonly pointer?: string;
  readonly basis?: Breach["basis"];
}

/** How a run looks at services. */
export interface RunOptions {
  readonly budget: number;
  /** Values by the name of a parameter or of a body's property, for what the examples of a document cannot know. */
  readonly set: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly onRequest?: ((sent: Sent, tried: string) => void) | undefined;
  /** Whether an operation is looked at; all are by default. */
  readonly only?: ((service: string, operation: string) => boolean) | undefined;
}

/** One look at some services: what is sent is counted and judged, and what is found is kept. */
export class Run {
  readonly services: readonly LiveService[];
  readonly options: RunOptions;
  readonly findings: Findings = new Findings();
  readonly known: Known = new Known();
  readonly wire: Wire;

  constructor(services: readonly LiveService[], options: RunOptions) {
    this.services = services;
    this.options = options;
    this.wire = new Wire({
      budget: options.budget,
      reserve: () => this.known.created.length,
      signal: options.signal,
      onRequest: options.onRequest,
      seen: (exchange) => {
        judgeAnswer({ findings: this.findings, validator: this.validator(exchange.service) }, exchange);
      },
    });
  }

  /** Makes requests by the document, and judges what they are answered with. */
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

  /** Sends a request, and holds its answer against what is expected. */
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

  /** The judge of a service's document. */
  validator({ document: { root } }: LiveService): Validator {
    return validatorOf(root);
  }

  /** Tells of something that several answers show together; the last of them is quoted. */
  report(exchange: Exchange, breach: Breach): void {
    this.findings.add(exchange, breach);
  }

  /** Holds an answer against what is expected. */
  expect(exchange: Exchange, expected: Expected): void {
    const { answer, operation } = exchange;
    const { says, pointer, basis } = expected;
    const statuses = statusesOf(operation, expected);
    if (answer.status === 0 || statuses.includes(answer.status)) return;
    // A mock shows an example where a service would look: what it cannot know it is not held to.
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

/** Whether an answer is a success that was performed, and not shown. */
export function isPerformed({ answer }: Exchange): boolean {
  return answer.status >= 200 && answer.status < 300 && !answer.isExample && answer.broken === undefined;
}
