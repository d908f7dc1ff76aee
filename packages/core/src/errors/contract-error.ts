import { andMore } from "./response.ts";
import { TrainyardError } from "./trainyard-error.ts";

/** An issue in the form of Standard Schema. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * A request or a response does not fit the contract. Only clients with `validators` throw it.
 *
 * What to do: for a request, fix the fields in `issues`. For a response, compare the versions of client and service.
 */
export class ContractError extends TrainyardError {
  override get name(): "ContractError" {
    return "ContractError";
  }
  /** The issues, each with its path. */
  readonly issues: readonly SchemaIssue[];

  constructor(operation: string, part: string, issues: readonly SchemaIssue[]) {
    const [first] = issues;
    const path = first?.path?.map((step) => String(Object(step).key ?? step)) ?? [];
    super(`${[part, ...path].join(".")}: ${first?.message}${andMore(issues)}`, { operation });
    this.issues = issues;
  }
}
