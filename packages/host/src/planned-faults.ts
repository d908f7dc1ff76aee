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
  /**
   * The events of a stream: text as it is, anything else as JSON; the mark of the end follows. In a chat, text is the next piece
   * of what the model says, and a request that asks for no stream gets all pieces as one answer.
   */
  readonly chunks?: readonly unknown[];
  /** In a chat: the tools that the model calls, after what it says. */
  readonly toolCalls?: readonly PlannedToolCall[];
  /** In a chat: why the answer ends; `tool_calls` where there are any, else `stop`. */
  readonly finishReason?: string;
  /** Milliseconds before each chunk of a stream but the first. */
  readonly chunkDelayMs?: number;
  /** Breaks the connection after so many chunks of a stream. What is no stream breaks in its middle. */
  readonly cutAfter?: number;
  /** Breaks the connection in the middle of the answer. */
  readonly cut?: boolean;
  /** No answer: the connection breaks. */
  readonly disconnect?: boolean;
}

/** A tool that the model calls in a planned answer. */
export interface PlannedToolCall {
  readonly name: string;
  /** The arguments: an object, or the text as the model wrote it. `{}` by default. */
  readonly arguments?: unknown;
  /** `call_1` for the first by default. */
  readonly id?: string;
}

/**
 * What is to go wrong with the next requests of an operation. With `status`, `example`, `body`, `chunks` or `toolCalls` the
 * request is not judged and the operation is not performed; without them it answers as always, later, with other headers, or not
 * to its end.
 */
export interface PlannedFault extends PlannedAnswer {
  /** `models.create`, `training models.create` where two documents have one of the name, or `*` for all. */
  readonly operation: string;
  /** How often; once by default. */
  readonly times?: number;
}

/** Whether a plan replaces the answer, and does not merely change how it is sent. */
export function replacesAnswer({ status, example, body, ...plan }: PlannedAnswer): boolean {
  return status !== undefined || example !== undefined || body !== undefined || isWritten(plan);
}

/** Whether a plan says what comes, event by event or as a chat. */
export function isWritten({ chunks, toolCalls, finishReason }: PlannedAnswer): boolean {
  return chunks !== undefined || toolCalls !== undefined || finishReason !== undefined;
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
