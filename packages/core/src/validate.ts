import { ContractError } from "./errors/contract-error.ts";
import type { ClientOptions } from "./options.ts";

/** A fault as Standard Schema reports it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a check gives: the faults, or none. */
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined;
}

/** The part of Standard Schema (version 1) that checks a value. */
export interface SchemaLike {
  /** The bodies, answers and chunks of streams that it is for: `models.create request`, `chat.completions.create chunk`. */
  readonly checks?: readonly string[];
  readonly "~standard": { readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult> };
}

/** Validators as the client's module `/validators` exports them. What says not what it is for is passed over. */
export type Validators = { readonly [name: string]: unknown };

/** What validators check. The chunks of a stream are responses, too. */
export type Validate = "requests" | "responses" | "both";

/** Checks the body, the answer or a chunk of an operation. */
export type Check = (part: "request" | "response" | "chunk", name: string, value: unknown) => Promise<void>;

/** What checks bodies, answers and chunks, or `undefined` where the client takes no validators. */
export function checker({ validators, validate = "both" }: ClientOptions): Check | undefined {
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
