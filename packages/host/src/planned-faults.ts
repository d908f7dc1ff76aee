/** How an answer is to be, in place of the one that the operation gives. What is left out comes from the document. */
export interface PlannedAnswer {
  /** Any status, also one that the document does not declare. */
  readonly status?: number;
  /** The named example of the document that is the body. */
  readonly example?: string;
  /** The body: text goes out as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds for the header `Retry-After`. */
  readonly retryAfter?: number;
  /** Milliseconds until the answer. */
  readonly delayMs?: number;
  /** Breaks the connection in the middle of the answer. */
  readonly cut?: boolean;
  /** No answer: the connection breaks. */
  readonly disconnect?: boolean;
}

/**
 * What is to go wrong with the next requests of an operation. With `status`, `example` or `body` the request is not judged and
 * the operation is not performed; without them it answers as always, later, with other headers, or not to its end.
 */
export interface PlannedFault extends PlannedAnswer {
  /** `models.create`, `training models.create` where two documents have one of the name, or `*` for all. */
  readonly operation: string;
  /** How often; once by default. */
  readonly times?: number;
}

/** Whether a plan replaces the answer, and does not merely change how it is sent. */
export function replacesAnswer({ status, example, body }: PlannedAnswer): boolean {
  return status !== undefined || example !== undefined || body !== undefined;
}

/** As much as a plan must know of a request. */
interface TakenFrom {
  readonly document: string;
  readonly operation: { readonly name: string };
}

/** The faults that tests have planned, in the order in which they are used. */
export class PlannedFaults {
  readonly #names: ReadonlySet<string>;
  #planned: { fault: PlannedFault; left: number }[] = [];

  /** @param operations as `models.create` and as `training models.create` */
  constructor(operations: Iterable<string>) {
    this.#names = new Set(["*", ...operations]);
  }

  /** Whether there is such an operation: a fault of another would never come. */
  knows({ operation }: PlannedFault): boolean {
    return this.#names.has(operation);
  }

  /** @throws Error where there is no such operation */
  plan(fault: PlannedFault): void {
    if (!this.knows(fault)) throw new Error(noOperation(fault.operation));
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  /** Takes the next one for a request. */
  take({ document, operation: { name: operation } }: TakenFrom): PlannedFault | undefined {
    if (this.#planned.length === 0) return undefined;
    const names = new Set(["*", operation, `${document} ${operation}`]);
    const found = this.#planned.find(({ fault }) => names.has(fault.operation));
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.#planned = this.#planned.filter((planned) => planned !== found);
    return found.fault;
  }

  /** What is planned and not used up. */
  list(): PlannedFault[] {
    return this.#planned.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  clear(): void {
    this.#planned = [];
  }
}

/** Says that there is no operation of that name. */
export function noOperation(name: string): string {
  return `There is no operation ${name}. Name one as \`models.create\` or \`training models.create\`, or all of them by \`*\`.`;
}
