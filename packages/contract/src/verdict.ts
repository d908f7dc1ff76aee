/** What a change does to those who rely on the document. */
export type Verdict = "breaking" | "additive" | "neutral";

/** Who is concerned: callers who send something, who read it, who call an operation at all, who import a type. */
export type Role = "send" | "read" | "call" | "import";

export const roles: readonly Role[] = ["call", "send", "read", "import"];

const order: readonly Verdict[] = ["neutral", "additive", "breaking"];

export function worst(verdicts: Iterable<Verdict>): Verdict {
  let found = 0;
  for (const verdict of verdicts) found = Math.max(found, order.indexOf(verdict));
  return order[found] ?? "neutral";
}
