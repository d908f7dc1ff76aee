import type { JsonObject } from "@trainyard/core/validation";
import type { AnswerKind, HttpMethod, Operation, Pagination, Parameter, Stream } from "@trainyard/document";

/** One media type of a body. */
export interface BodyType {
  readonly mediaType: string;
  readonly kind: "json" | "form" | "multipart" | "text" | "bytes";
  readonly type: string;
  readonly encoding: JsonObject;
}

/** A parameter in a path, and its type. */
export interface PathParameter extends Parameter {
  readonly type: string;
  readonly isList: boolean;
}

/** An operation with a method, as the generator uses it. Names of types are those of `schema.ts`. */
export interface OperationInfo extends Pick<Operation, "name" | "id" | "path" | "security"> {
  readonly method: HttpMethod;
  /** The operation in the document. */
  readonly operation: Operation;
  readonly pathParameters: readonly PathParameter[];
  readonly queryParameters: readonly Parameter[];
  /** The headers that a call gives itself. */
  readonly headers: readonly Parameter[];
  readonly cookies: readonly Parameter[];
  /** The headers that client options fill, by option. */
  readonly optionHeaders: Readonly<Record<string, { readonly header: string; readonly description: string }>>;
  /** Whether the operation declares `Idempotency-Key`. */
  readonly keyed: boolean;
  readonly query?: { readonly type: string; readonly required: boolean };
  readonly body?: {
    readonly type: string;
    readonly required: boolean;
    readonly description: string;
    /** The media types, if there are others than `application/json`; the preferred one first. */
    readonly types?: readonly BodyType[];
  };
  /** What a call returns: the union of all responses of success. */
  readonly result: {
    readonly type: string;
    readonly kind: AnswerKind | "mixed";
    /** The media type, if there is one response of success. */
    readonly mediaType?: string;
    /** The `Accept` header, if it is not JSON alone. */
    readonly accept?: string;
    /** The kinds by status, if they are not all JSON or all text. */
    readonly answers?: Readonly<Record<string, AnswerKind>>;
    /** What each JSON answer has: its required properties; none if it is a list. */
    readonly needs: readonly string[] | undefined;
    /** The same with what is adopted or proposed. */
    readonly expects: readonly string[] | undefined;
    /** The lowest status. */
    readonly status: string;
    readonly description: string;
  };
  readonly page?: Pagination & { readonly type: string };
  readonly stream?: Stream & {
    /** The type of one item of the stream. */
    readonly type: string;
  };
  /** Declared error responses by status, in ascending order. */
  readonly failures: readonly { readonly status: string; readonly description: string }[];
}

/** A fault of one operation, with its path inside the document. */
export interface OperationFault {
  readonly pointer: readonly string[];
  readonly message: string;
  readonly cure: string;
}

/** Reports a fault of an operation, at the operation or below it. */
export type Refuse = (message: string, cure: string, below?: readonly string[]) => void;
