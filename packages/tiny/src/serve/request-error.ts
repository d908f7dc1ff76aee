/** A request that cannot be answered. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: 400 | 404 | 413;
  /** The field that is wrong, as a path. */
  readonly param: string | null;
  readonly code: string;

  constructor(message: string, { status = 400, param = null, code = "invalid_value" }: RequestErrorParts = {}) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

interface RequestErrorParts {
  readonly status?: RequestError["status"];
  readonly param?: string | null;
  readonly code?: string;
}
