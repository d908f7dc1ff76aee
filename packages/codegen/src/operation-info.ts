import type { HttpMethod, Operation, Pagination, Parameter, Resend, Security, Stream } from "@trainyard/document";

/** What the generator knows of one operation that people call. Names of types are those of `schema.ts`. */
export interface OperationInfo {
  /** The name that people call: `models.checkpoints.list`. */
  readonly name: string;
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** Other paths that do the same. */
  readonly aliases: readonly string[];
  /** All that the document says of it. */
  readonly operation: Operation;
  readonly pathParameters: readonly Parameter[];
  readonly queryParameters: readonly Parameter[];
  /** The headers that a client option fills, by the option. */
  readonly optionHeaders: Readonly<Record<string, { readonly header: string; readonly description: string }>>;
  /** Whether the operation declares `Idempotency-Key`. */
  readonly keyed: boolean;
  readonly resend: Resend;
  /** Seconds for one attempt. */
  readonly timeout: number;
  readonly security: Security;
  readonly query?: { readonly type: string; readonly required: boolean };
  readonly body?: { readonly type: string; readonly required: boolean; readonly description: string };
  /** The type of a successful answer. */
  readonly result: {
    readonly type: string;
    /** The media type of an answer that is text; its type is `string`. */
    readonly text?: string;
    readonly status: string;
    readonly description: string;
  };
  readonly page?: Pagination & { readonly type: string };
  readonly stream?: Required<Stream> & {
    /** The type of one item of the stream. */
    readonly type: string;
  };
  /** Declared failures by status, in ascending order. */
  readonly failures: readonly { readonly status: string; readonly description: string }[];
}

/** A fault of one operation, with the path inside the document to the place that has it. */
export interface OperationFault {
  readonly pointer: readonly string[];
  readonly message: string;
  readonly cure: string;
}

/** Says what is wrong with an operation, at the operation or below it. */
export type Refuse = (message: string, cure: string, below?: readonly string[]) => void;
