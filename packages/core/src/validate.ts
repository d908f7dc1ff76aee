import { ContractError } from "./errors/contract-error.ts";
import type { Operation } from "./operation.ts";
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
  readonly "~standard": { readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult> };
}

/** Validators by the names under which the client's module `/validators` exports them. Other exports are passed over. */
export type Validators = { readonly [name: string]: unknown };

/** What validators check. */
export type Validate = "requests" | "responses" | "both";

const isSchema = (value: unknown): value is SchemaLike => "~standard" in Object(value);

type Check = (part: "request" | "response", name: string, operation: Operation, value: unknown) => Promise<void>;

/** What checks bodies and answers, or `undefined` where the client takes no validators. */
export function checker({ validators, validate = "both" }: ClientOptions): Check | undefined {
  return (
    validators &&
    (async (part, name, operation, value) => {
      const schema = validators[operation.checks?.[part] ?? ""];
      if (!isSchema(schema) || (validate !== "both" && validate !== `${part}s`)) return;
      const { issues } = await schema["~standard"].validate(value);
      if (issues?.length) throw new ContractError(name, part === "request" ? "body" : "answer", issues);
    })
  );
}
