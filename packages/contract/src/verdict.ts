/** What a change does to those who rely on the document. */
export type Verdict = "breaking" | "additive" | "neutral";

/** Who is concerned: callers who send something, who read it, who call an operation at all, who import a type. */
export type Role = "send" | "read" | "call" | "import";

export const roles: readonly Role[] = ["call", "send", "read", "import"];

/** The worst first. */
export const verdicts: readonly Verdict[] = ["breaking", "additive", "neutral"];

export function worst(all: Iterable<Verdict>): Verdict {
  const found = new Set(all);
  return verdicts.find((verdict) => found.has(verdict)) ?? "neutral";
}
