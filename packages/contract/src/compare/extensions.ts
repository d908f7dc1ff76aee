import type { Comparison, Pair } from "../comparison.ts";
import { type Spot, child } from "../document.ts";
import { type Json, isObject, same, text } from "../json.ts";
import { join, tokens } from "../pointer.ts";
import { type Rules, became, passage } from "./keys.ts";
import { compareBasis, comparePromises } from "./promises.ts";

/** From the loosest to the strictest. */
const resend = ["always", "with-key", "never"];

/** Methods whose request changes something anew each time that it arrives. */
const changing: ReadonlySet<string> = new Set(["post", "patch"]);

/** Seconds for one attempt where a document says nothing. */
const defaultTimeout = 60;

function compareResend(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => resend.indexOf(text(value ?? "never")));
  if (before === undefined || now === undefined || before < 0 || now < 0) return;
  const looser = changing.has(tokens(pair.revision.pointer)[2] ?? "") ? "resend-unsafe" : "resend-looser";
  const kind = now > before ? "resend-stricter" : now < before ? looser : "rewritten";
  comparison.report(kind, pair, became(pair, "`x-resend`"));
}

function compareTimeout(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => Number(value ?? defaultTimeout));
  if (before === undefined || now === undefined || Number.isNaN(before + now)) return;
  const kind = now < before ? "timeout-shortened" : now > before ? "timeout-raised" : "rewritten";
  comparison.report(kind, pair, became(pair, "`x-timeout` (seconds)"));
}

const passStream = passage("`x-stream`", "stream-added", "stream-changed", "stream-changed");

/** How items add up to the whole is the client's; what asks for a stream and what ends it is on the wire. */
function compareStream(comparison: Comparison, pair: Pair, key: string): void {
  const fold = { base: child(pair.base, "fold"), revision: child(pair.revision, "fold") };
  if (!isObject(pair.base.value) || !same(without(pair.base, "fold"), without(pair.revision, "fold")))
    return passStream(comparison, pair, key);
  comparison.report(fold.base.value === undefined ? "fold-added" : "fold-changed", fold, became(fold, "`fold`"));
}

function without({ value }: Spot, key: string): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** An open set may grow. What comes and goes in it is rated where its members are compared. */
function compareOpenness(comparison: Comparison, pair: Pair): void {
  const [was, is] = [pair.base.value === true, pair.revision.value === true];
  if (was === is) return;
  comparison.report(
    is ? "set-opened" : "set-closed",
    pair,
    is ? "The set is now open: it may grow." : "The set is now closed.",
  );
}

function compareAccepted(comparison: Comparison, pair: Pair): void {
  const [before, now] = [pair.base, pair.revision].map(({ value }) => (Array.isArray(value) ? value : []));
  if (before === undefined || now === undefined) return;
  const less = before.filter((value) => !now.some((other) => same(other, value)));
  const more = now.filter((value) => !before.some((other) => same(other, value)));
  if (less.length > 0) comparison.report("types-accept-less", pair, became(pair, "`x-types-accept`"));
  else if (more.length > 0) comparison.report("types-accept-more", pair, became(pair, "`x-types-accept`"));
  else comparison.report("rewritten", pair, "The values stand in another order.");
}

/** It says how a breach of the limits beside it is answered. Where those came or went with it, they tell it. */
function compareInvalidStatus(comparison: Comparison, pair: Pair, key: string): void {
  const around = (spot: Spot): string => join("", ...tokens(spot.pointer).slice(0, -1));
  const [before, now] = [comparison.base.at(around(pair.base)), comparison.revision.at(around(pair.revision))];
  const alone = same(without(before, key), without(now, key));
  comparison.report(alone ? "invalid-status-changed" : "rewritten", pair, became(pair, "`x-invalid-status`"));
}

/** How a change of each of the contract's own keys is judged. Each of them has its rule. */
export const extensionRules: Rules = {
  "x-basis": compareBasis,
  "x-rules": comparePromises,
  "x-client-method": passage("The method", "method-added", "method-renamed", "method-removed"),
  "x-alias-of": passage("`x-alias-of`", "alias-changed", "alias-changed", "alias-changed"),
  "x-resend": compareResend,
  "x-timeout": compareTimeout,
  "x-pagination": passage("`x-pagination`", "pagination-added", "pagination-changed", "pagination-changed"),
  "x-stream": compareStream,
  "x-client-option": passage(
    "The client option",
    "client-option-added",
    "client-option-changed",
    "client-option-changed",
  ),
  "x-sensitive": passage("`x-sensitive`", "sensitive-added", "sensitive-added", "sensitive-removed"),
  "x-extensible": compareOpenness,
  "x-types-accept": compareAccepted,
  "x-invalid-status": compareInvalidStatus,
};
