import { dialect, type Basis } from "@trainyard/document";

/** The meaning of each basis, in a sentence. */
export function basisWords(basis: Basis): string {
  return dialect.basis.describe(basis) ?? basis;
}
