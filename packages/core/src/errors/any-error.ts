import type * as errors from "./index.ts";
import { TrainyardError } from "./trainyard-error.ts";

/** All errors of this package as a union, discriminated by `name`: a misspelled name in a `case` does not compile. */
export type AnyTrainyardError = {
  [Name in keyof typeof errors]: InstanceType<(typeof errors)[Name]> & { readonly name: Name };
}[keyof typeof errors];

/** Whether a value is an error of this package, of any installed copy. */
export function isTrainyardError(value: unknown): value is AnyTrainyardError {
  return value instanceof TrainyardError;
}
