import type { Kind } from "./kinds.ts";

/** Kinds that concern those who do not send something, and not those who do. */
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
