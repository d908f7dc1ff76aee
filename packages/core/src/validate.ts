import { ContractError, type SchemaIssue } from "./errors/contract-error.ts";

/** The result of a validation: the issues, if any. */
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined;
}

/** The part of Standard Schema (version 1) that validates a value. */
export interface SchemaLike {
  /** The bodies, answers and stream chunks that it applies to: `models.create request`, `chat.completions.create chunk`. */
  readonly checks?: readonly string[];
  readonly "~standard": { readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult> };
}

/** Validators as the client's module `/validators` exports them. Those that do not say what they apply to are ignored. */
export type Validators = { readonly [name: string]: unknown };

/** What validators check. The chunks of a stream count as responses. */
export type Validate = "requests" | "responses" | "both";

/** Validates the body, the answer or a chunk of an operation. */
export type Check = (part: "request" | "response" | "chunk", name: string, value: unknown) => Promise<void>;

/** Creates the client's validation. Returns `undefined` if the client has no validators. */
export function checker(
  validators: Validators | (() => Promise<Validators>) | undefined,
  validate: Validate = "both",
): Check | undefined {
  if (!validators) return undefined;
  let found: ReadonlyMap<string, SchemaLike["~standard"][]> | undefined;
  return async (part, name, value) => {
    const isRequest = part === "request";
    if (validate === (isRequest ? "responses" : "requests")) return;
    // Where loading fails, the next call loads again.
    found ??= await byCheck(validators);
    for (const standard of found.get(`${name} ${part}`) ?? []) {
      const { issues } = await standard.validate(value);
      if (issues?.length)
        throw new ContractError(name, isRequest ? "body" : part === "chunk" ? part : "answer", issues);
    }
  };
}

/** Validators by what they apply to, so that each chunk of a stream costs one look-up. */
async function byCheck(
  validators: Validators | (() => Promise<Validators>),
): Promise<ReadonlyMap<string, SchemaLike["~standard"][]>> {
  const found = new Map<string, SchemaLike["~standard"][]>();
  for (const one of Object.values(typeof validators === "function" ? await validators() : validators)) {
    const { checks = [], "~standard": standard }: Partial<SchemaLike> = Object(one);
    if (standard) for (const check of checks) found.set(check, [...(found.get(check) ?? []), standard]);
  }
  return found;
}
