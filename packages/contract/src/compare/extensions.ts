import type { Comparison, Pair } from "../comparison.ts";
import { text } from "../json.ts";
import { type Rules, became, passage } from "./keys.ts";
import { annotations } from "./annotations.ts";

/** From the loosest to the strictest. */
const resend = ["always", "with-key", "never"];

/** Seconds for one attempt where a document says nothing. */
const defaultTimeout = 60;

function compareResend(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => resend.indexOf(text(value ?? "never")));
  if (before === undefined || now === undefined || before < 0 || now < 0) return;
  const kind = now > before ? "resend-stricter" : now < before ? "resend-looser" : "rewritten";
  comparison.report(kind, pair, became(pair, "`x-resend`"));
}

function compareTimeout(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => Number(value ?? defaultTimeout));
  if (before === undefined || now === undefined || Number.isNaN(before + now)) return;
  const kind = now < before ? "timeout-shortened" : now > before ? "timeout-raised" : "rewritten";
  comparison.report(kind, pair, became(pair, "`x-timeout` (seconds)"));
}

/** What stands on an operation and is not of its request or responses. */
export const operationRules: Rules = {
  ...annotations,
  tags: (comparison, pair) => comparison.report("tag-changed", pair, became(pair, "`tags`")),
  summary: (comparison, pair) => comparison.report("description-changed", pair, became(pair, "`summary`")),
  operationId: passage("The operation id", "operation-id-changed", "operation-id-changed", "operation-id-changed"),
  "x-client-method": passage("The method", "method-added", "method-renamed", "method-removed"),
  "x-alias-of": passage("`x-alias-of`", "alias-changed", "alias-changed", "alias-changed"),
  "x-resend": compareResend,
  "x-timeout": compareTimeout,
  "x-pagination": passage("`x-pagination`", "pagination-added", "pagination-changed", "pagination-changed"),
  "x-stream": passage("`x-stream`", "stream-added", "stream-changed", "stream-changed"),
};
