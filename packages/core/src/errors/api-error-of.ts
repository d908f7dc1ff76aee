import type { Answer } from "../answer.ts";
import * as errors from "./api-error.ts";
import { jsonOf, bodyKind, messageOf } from "./response.ts";

const classes: { readonly [status: number]: typeof errors.ApiError } = {
  400: errors.BadRequestError,
  401: errors.UnauthorizedError,
  402: errors.PaymentRequiredError,
  403: errors.ForbiddenError,
  404: errors.NotFoundError,
  409: errors.ConflictError,
  413: errors.ContentTooLargeError,
  422: errors.UnprocessableError,
  429: errors.RateLimitError,
};

/** Creates the error of a response: the class from its status, the message from its body. */
export function apiErrorOf(answer: Answer): errors.ApiError {
  const { response, text } = answer;
  const body = jsonOf(text);
  const reason = messageOf(body) ?? strange(response, body === text ? text : "");
  const Class = classes[response.status] ?? (response.status < 500 ? errors.ApiError : errors.ServerError);
  return new Class(answer, reason, body);
}

/** Describes a body that the service did not write. HTML is usually the page of a proxy or gateway. */
function strange(response: Response, text: string): string {
  const { headers, statusText } = response;
  const proxy = /html/i.test(`${headers.get("content-type")}`) ? ", as from a proxy" : "";
  return [statusText, text && bodyKind(response, text) + proxy].filter(Boolean).join(", ");
}
