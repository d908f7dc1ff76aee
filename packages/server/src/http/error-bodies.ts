import { formatLoc } from "@trainyard/core/validation";
import type { Refusal } from "./refusal.ts";

/** How a service writes an error. */
export interface ErrorStyle {
  /** The status of a request that is not valid. */
  readonly invalid: 400 | 422;
  /** The code of a request that breaks a limit whose status is not the usual one. */
  readonly limitCode: string;
  body(refusal: Refusal): unknown;
}

/** `{ detail }`: a sentence, or with 422 the faults. */
export const detailStyle: ErrorStyle = {
  invalid: 422,
  limitCode: "invalid_value",
  body: ({ refusal, message, faults }) => ({ detail: refusal === 422 && faults ? faults : message }),
};

/** `{ error: { message, type, param, code } }`, and never 422. */
export const errorStyle: ErrorStyle = {
  invalid: 400,
  limitCode: "invalid_value",
  body: ({ refusal, message, code, faults }) => ({
    error: {
      message,
      type: types[refusal] ?? (refusal >= 500 ? "server_error" : "invalid_request_error"),
      param: formatLoc(faults?.[0]?.loc.slice(1) ?? []) || null,
      code: code ?? null,
    },
  }),
};

/** `{ reason, error_type }`, and with 422 the faults as `{ detail }`. */
export const reasonStyle: ErrorStyle = {
  invalid: 422,
  limitCode: "invalid_metric",
  body: (refusal) =>
    refusal.refusal === 422 && refusal.faults
      ? detailStyle.body(refusal)
      : { reason: refusal.message, ...(refusal.code !== undefined && { error_type: refusal.code }) },
};

const types: Record<number, string> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};
