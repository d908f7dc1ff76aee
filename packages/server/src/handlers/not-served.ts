import type { OperationNames } from "../http/service-types.ts";

/**
 * The operations that the contract has and this server does not serve yet: they are answered with 501. A new one stands
 * here until its handler is written; no operation is without both, and none has both.
 */
export const notServed = {
  training: [],
  inference: [],
  auxiliary: [],
} as const;

// Here and not above, where no declaration can be made of it.
notServed satisfies OperationNames;
