import type { ChatUsage } from "@trainyard/core/chat";

/** A response that replaces the one of the operation. Fields that are left out come from the document. */
export interface PlannedAnswer {
  /** Any status, even if the document does not declare it. */
  readonly status?: number;
  /** The named example of the document to use as the body. */
  readonly example?: string;
  /** The body: a string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds for the header `Retry-After`. */
  readonly retryAfter?: number;
  /** Milliseconds before the response. */
  readonly delayMs?: number;
  /**
   * The events of a stream: strings unchanged, anything else as JSON, followed by the end marker. In a chat, a string is
   * the next piece of the model's text, and a request without a stream gets all pieces as one answer.
   */
  readonly chunks?: readonly unknown[];
  /** In a chat: the tools that the model calls after its text. */
  readonly toolCalls?: readonly PlannedToolCall[];
  /** In a chat: the finish reason. Default: `tool_calls` if there are any, else `stop`. */
  readonly finishReason?: string;
  /** In a chat: the usage. Default: one token for each message, and for each piece of text or of a tool call. */
  readonly usage?: Partial<ChatUsage>;
  /** Milliseconds before each chunk of a stream except the first. */
  readonly chunkDelayMs?: number;
  /** Breaks the connection after this many chunks of a stream. A response that is not a stream breaks in its middle. */
  readonly cutAfter?: number;
  /** Breaks the connection in the middle of the response. */
  readonly cut?: boolean;
  /** An error in place of the rest of a stream. A response that is not a stream becomes this error, with its status. */
  readonly error?: PlannedError;
  /** Breaks the connection without a response. */
  readonly disconnect?: boolean;
}

/** An error that a service reports after it has sent its headers. */
export interface PlannedError {
  /** The number of chunks before it. */
  readonly after: number;
  readonly message: string;
  readonly code?: string;
}

/** A tool call in a planned answer. */
export interface PlannedToolCall {
  readonly name: string;
  /** The arguments: an object, or a string as the model wrote it. Default: `{}`. */
  readonly arguments?: unknown;
  /** Default: `call_1` for the first. */
  readonly id?: string;
}

/**
 * A fault of the next requests of an operation. With `status`, `example`, `body`, `chunks`, `toolCalls`, `finishReason` or `usage`,
 * the request is not validated and the operation not performed. Without them the operation responds as usual, but later, with other
 * headers, or incompletely.
 */
export interface PlannedFault extends PlannedAnswer {
  /** `models.create`; `training models.create` if two documents have an operation of that name; `*` for all. */
  readonly operation: string;
  /** How many times. Default: 1. */
  readonly times?: number;
}

/** Whether a plan replaces the response, instead of only changing how it is sent. */
export function replacesAnswer({ status, example, body, ...plan }: PlannedAnswer): boolean {
  return status !== undefined || example !== undefined || body !== undefined || isWritten(plan);
}

/** Whether a plan defines the content, as events or as a chat. */
export function isWritten({ chunks, toolCalls, finishReason, usage }: PlannedAnswer): boolean {
  return [chunks, toolCalls, finishReason, usage].some((part) => part !== undefined);
}

/** The part of a request that a plan needs. */
interface TakenFrom {
  readonly document: string;
  readonly operation: { readonly name: string };
}

/** The planned faults of tests, in the order in which they are used. */
export class PlannedFaults {
  readonly #names: ReadonlySet<string>;
  #planned: { fault: PlannedFault; left: number }[] = [];

  /** @param operations names such as `models.create` and `training models.create` */
  constructor(operations: Iterable<string>) {
    this.#names = new Set(["*", ...operations]);
  }

  /** Whether the operation exists: a fault of an unknown one would never be used. */
  knows({ operation }: PlannedFault): boolean {
    return this.#names.has(operation);
  }

  /** @throws Error if the operation does not exist */
  plan(fault: PlannedFault): void {
    if (!this.knows(fault)) throw new Error(noOperation(fault.operation));
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  /** Takes the next fault for a request. */
  take({ document, operation: { name: operation } }: TakenFrom): PlannedFault | undefined {
    if (this.#planned.length === 0) return undefined;
    const names = new Set(["*", operation, `${document} ${operation}`]);
    const found = this.#planned.find(({ fault }) => names.has(fault.operation));
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.#planned = this.#planned.filter((planned) => planned !== found);
    return found.fault;
  }

  /** The faults that are not used up. */
  list(): PlannedFault[] {
    return this.#planned.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  clear(): void {
    this.#planned = [];
  }
}

/** The message for an unknown operation. */
export function noOperation(name: string): string {
  return `There is no operation ${name}. Write a name such as \`models.create\` or \`training models.create\`, or \`*\` for all operations.`;
}
