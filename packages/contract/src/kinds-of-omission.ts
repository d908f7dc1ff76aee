import type { Kind } from "./kinds.ts";

/** Kinds that concern callers that do not send a value. */
export const kindsOfOmission: ReadonlySet<Kind> = new Set<Kind>([
  "default-added",
  "default-changed",
  "default-removed",
  "property-required",
  "property-added-required",
  "parameter-required",
  "parameter-added-required",
  "body-required",
  "body-added-required",
]);
