/** The id that the service assigned to a request. */
export function requestIdOf({ headers }: Response): string | undefined {
  return headers.get("x-request-id") ?? undefined;
}

/** Whether a response is a stream: of events, or of lines of JSON. */
export function isEventStream({ headers }: Response): boolean {
  return /event-stream|nd-?json|jsonl|json-seq/i.test(`${headers.get("content-type")}`);
}

/** Parses a text as JSON. Returns the text itself if it is not JSON, and `undefined` if it is empty. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}

/** Describes a body without repeating it: `text/html, 53 bytes`. */
export function bodyKind({ headers }: Response, text: string): string {
  const type = headers.get("content-type")?.split(";")[0];
  return `${type || "no content-type"}, ${new Blob([text]).size} bytes`;
}

/** One issue of a request, as the service reports it. */
export interface Issue {
  /** Where the issue is: the source (`body`, `query`, `path`, `header`), then the path within it. */
  loc: (string | number)[];
  msg: string;
  type: string;
}

function isIssue(value: unknown): value is Issue {
  const { loc, msg, type } = Object(value);
  return (
    Array.isArray(loc) &&
    loc.every((step) => typeof step === "string" || typeof step === "number") &&
    typeof msg === "string" &&
    type !== undefined
  );
}

/** The issues in the body of a 422. */
export function issuesOf(body: unknown): Issue[] {
  const { detail } = Object(body);
  return Array.isArray(detail) ? detail.filter(isIssue) : [];
}

/** The code in an error body: `error.code`, or `code`. */
export function codeIn(body: unknown): string | undefined {
  const { error, code } = Object(body);
  return [Object(error).code, code].find((one) => typeof one === "string");
}

/** The message in an error body: `detail` or its first issue, `error.message`, `error`, `message` or `reason`. */
export function messageOf(body: unknown): string | undefined {
  const issues = issuesOf(body);
  const [issue] = issues;
  return issue ? `${issue.loc.join(".")}: ${issue.msg}${andMore(issues)}` : reasonOf(body);
}

/** The message in an error body without issues. */
export function reasonOf(body: unknown): string | undefined {
  const { detail, error, message, reason } = Object(body);
  const text = [detail, Object(error).message, error, message, reason].find(
    (one): one is string => typeof one === "string" && one !== "",
  );
  return text?.slice(0, 500);
}

/** Appended to a message that names only the first of several issues. */
export function andMore({ length }: readonly unknown[]): string {
  return length > 1 ? ` (and ${length - 1} more)` : "";
}
