/**
 * What a change does to those who rely on the document. A warning asks for a look and for no version: it fails no build.
 */
export type Verdict = "breaking" | "warning" | "additive" | "neutral";

/**
 * How callers meet what changes: they send it, read it in an answer or in an error, call an operation at all, or import a
 * type.
 */
export type Role = "send" | "read" | "error" | "call" | "import";

/**
 * Who notices. `wire`: whoever exchanges requests and answers, with whatever program; it drives `info.version`. `source`:
 * whoever compiles against our clients, and sees methods, types and names; it drives the version of the package, beside the
 * wire. `reader`: whoever reads the document or the reference, and relies on its words.
 */
export type Audience = "wire" | "source" | "reader";

export const roles: readonly Role[] = ["call", "send", "read", "error", "import"];

/** The worst first. */
export const verdicts: readonly Verdict[] = ["breaking", "warning", "additive", "neutral"];

export function worst(all: Iterable<Verdict>): Verdict {
  const found = new Set(all);
  return verdicts.find((verdict) => found.has(verdict)) ?? "neutral";
}
