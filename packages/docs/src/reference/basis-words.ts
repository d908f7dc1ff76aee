import { dialect, type Basis } from "@trainyard/document";

/** What the basis of a fact means, in a sentence. */
export function basisWords(basis: Basis): string {
  return dialect.basis.describe(basis) ?? basis;
}
