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
export function checker(validators: Validators | undefined, validate: Validate = "both"): Check | undefined {
  return (
    validators &&
    (async (part, name, value) => {
      const isRequest = part === "request";
      if (validate === (isRequest ? "responses" : "requests")) return;
      for (const one of Object.values(validators)) {
        const { checks, "~standard": standard }: Partial<SchemaLike> = Object(one);
        const { issues } = (checks?.includes(`${name} ${part}`) && (await standard?.validate(value))) || {};
        if (issues?.length)
          throw new ContractError(name, isRequest ? "body" : part === "chunk" ? part : "answer", issues);
      }
    })
  );
}
