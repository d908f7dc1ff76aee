/** Bundled into each client's `/validators`. */
import { faultsOf, type AjvErrorLike, type Fault } from "@trainyard/core/validation";

/** A function that Ajv has written: it leaves what is wrong at `errors`. */
export interface Judge {
  (value: unknown): boolean;
  errors?: readonly AjvErrorLike[] | null;
}

interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export interface Guard {
  (value: unknown): boolean;
  faults(value: unknown): Fault[];
  /** The bodies and answers of operations that it is for: `models.create request`. */
  readonly checks: readonly string[];
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "trainyard";
    validate(value: unknown): { readonly value: unknown } | { readonly issues: readonly Issue[] };
  };
}

/** Makes of what Ajv has written a type guard that tells its faults, and is a Standard Schema. */
export function guard(judge: Judge, checks: readonly string[] = []): Guard {
  const faults = (value: unknown): Fault[] => (judge(value) ? [] : faultsOf(judge.errors ?? [], value));
  return Object.assign((value: unknown): boolean => judge(value), {
    faults,
    checks,
    "~standard": {
      version: 1,
      vendor: "trainyard",
      validate(value: unknown) {
        const issues = faults(value).map(({ loc, msg }) => ({ message: msg, path: loc }));
        return issues.length === 0 ? { value } : { issues };
      },
    } as const,
  });
}
