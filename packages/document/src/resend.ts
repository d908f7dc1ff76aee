import { isObject, type JsonObject } from "@trainyard/core/validation";
import { deriveResend } from "./derive.ts";
import type { Extension } from "./extension.ts";

/** Whether a request may be retried if its outcome is unknown, from the loosest to the strictest. */
export const resends = ["always", "with-key", "never"] as const;
export type Resend = (typeof resends)[number];

/** The value of `x-resend`: a rule, and the values of properties of the body with which a request may always be retried. */
export interface ResendRule {
  readonly rule: Resend;
  readonly alwaysIf?: JsonObject;
}

/** The row of `x-resend`. */
export const resend: Extension<ResendRule | undefined> = {
  key: "x-resend",
  says:
    "Whether a client may send the request again if the outcome of the last attempt is unknown: always, only with an " +
    "`Idempotency-Key`, or never. The object form permits it also if properties of the body have the given values.",
  on: ["Operation"],
  schema: {
    oneOf: [
      { enum: [...resends] },
      {
        type: "object",
        properties: {
          rule: { enum: resends.slice(1) },
          "always-if": {
            type: "object",
            minProperties: 1,
            additionalProperties: { anyOf: ["string", "number", "boolean", "null"].map((type) => ({ type })) },
          },
        },
        required: ["rule", "always-if"],
        additionalProperties: false,
      },
    ],
  },
  mustBe:
    "`always`, `with-key`, `never`, or an object like `{rule: with-key, always-if: {return_existing: true}}`, whose rule is not `always`",
  read: (holder) => {
    const value = holder[resend.key];
    if (!isObject(value)) return ruleOf(value);
    const alwaysIf = value["always-if"];
    return isObject(alwaysIf) ? ruleOf(value["rule"], alwaysIf) : undefined;
  },
  describe: (value) => {
    if (value === undefined || value.rule === "always")
      return value && "Clients retry it after a 408, a 429, a 5xx, a lost connection and a timeout.";
    const safe = "After a 429, or if the connection was never made, clients retry it.";
    const needs = resendNeeds(value);
    return needs === ""
      ? `${safe} If the outcome is unknown, they do not.`
      : `${safe} If the outcome is unknown (a lost connection, a timeout, a 5xx), they retry it only with ${needs}.`;
  },
  changes: {
    between: (before, now, { method = "" }) => {
      const readOne = (value: unknown): ResendRule =>
        resend.read({ [resend.key]: value }) ?? { rule: deriveResend(method) };
      const [was, is] = [readOne(before), readOne(now)];
      // What is left out follows from the method, which nobody promised.
      if (covers(was, is) && covers(is, was)) return now === undefined ? "promise-withdrawn" : "rewritten";
      // Every request with one of these methods has an effect of its own.
      const looser = deriveResend(method) === "never" ? "resend-unsafe" : "resend-looser";
      return covers(is, was) ? looser : "resend-stricter";
    },
  },
};

/** What a request needs so that clients retry it although the outcome is unknown; empty if nothing helps. */
export function resendNeeds({ rule, alwaysIf }: ResendRule): string {
  const condition = alwaysIf && `\`${describeCondition(alwaysIf)}\``;
  return [rule === "with-key" && "an `Idempotency-Key`", condition].filter(Boolean).join(" or ");
}

/** The condition under which a request may always be retried: `return_existing: true`. Empty if there is none. */
export function describeCondition(alwaysIf: JsonObject | undefined): string {
  const values = Object.entries(alwaysIf ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return values.join(" and ");
}

function ruleOf(value: unknown, alwaysIf?: JsonObject): ResendRule | undefined {
  const rule = resends.find((one) => one === value);
  return rule && { rule, ...(alwaysIf && { alwaysIf }) };
}

/** Whether the first rule permits all retries that the second permits. */
function covers(one: ResendRule, other: ResendRule): boolean {
  if (one.rule === "always") return true;
  const { alwaysIf: mine } = one;
  const { alwaysIf: others } = other;
  const isMet = others === undefined || (mine && Object.entries(mine).every(([name, value]) => others[name] === value));
  return isMet === true && resends.indexOf(one.rule) <= resends.indexOf(other.rule);
}
