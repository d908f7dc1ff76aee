import { jsonOf } from "../decode.ts";
import type { Answer } from "../exchange.ts";
import { retryAfter } from "../hints.ts";
import { kindOf } from "./failures.ts";
import { andMore } from "./and-more.ts";
import {
  ApiError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  ForbiddenError,
  issuesOf,
  members,
  NotFoundError,
  PaymentRequiredError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnprocessableError,
} from "./api-error.ts";

const classes: { readonly [status: number]: typeof ApiError } = {
  400: BadRequestError,
  401: UnauthorizedError,
  402: PaymentRequiredError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: ContentTooLargeError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** Creates the error of a response: the class from its status, the message from its body. */
export function apiErrorOf(answer: Answer): ApiError {
  const { response, facts, text } = answer;
  const body = jsonOf(text);
  const reason = messageOf(body)?.slice(0, 500) ?? strange(response, body === text ? text : "");
  const message = `answered ${response.status}${reason && `: ${reason}`}`;
  const Class = classes[response.status] ?? (response.status < 500 ? ApiError : ServerError);
  return new Class(message, facts, { response, body, retryAfterMs: retryAfter(response.headers) });
}

/** Describes a body that the service did not write. HTML is usually the page of a proxy or gateway. */
function strange(response: Response, text: string): string {
  const { headers, statusText } = response;
  const proxy = headers.get("content-type")?.includes("html") ? ", as from a proxy" : "";
  return [statusText, text && kindOf(response, text) + proxy].filter(Boolean).join(", ");
}

/** The message in an error body: `detail` or its first issue, `error.message`, `error`, `message` or `reason`. */
export function messageOf(body: unknown): string | undefined {
  const issues = issuesOf(body);
  const [issue] = issues;
  if (issue) return `${issue.loc.join(".")}: ${issue.msg}${andMore(issues)}`;
  const { detail, error, message, reason } = members(body);
  return [detail, members(error).message, error, message, reason].find(
    (text) => typeof text === "string" && text !== "",
  ) as string | undefined;
}
