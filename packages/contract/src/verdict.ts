/**
 * The verdict of a change for those who rely on the document. A warning needs a review, but no new version; it does not
 * fail the check.
 */
export type Verdict = "breaking" | "warning" | "additive" | "neutral";

/**
 * How callers use the changed element: they send it, read it in a response or an error, call an operation, or import a
 * type.
 */
export type Role = "send" | "read" | "error" | "call" | "import";

/**
 * Who is affected. `wire`: everyone who exchanges requests and responses, with any program; it determines `info.version`.
 * `source`: everyone who compiles against our clients, with their methods, types and names; together with the wire it
 * determines the version of the package. `reader`: everyone who reads the document or the reference.
 */
export type Audience = "wire" | "source" | "reader";

/** Whose breaks fail a check: those of requests and responses, or also those of code that is compiled with a client. */
export type FailOn = "wire" | "source";

export const failOn: Readonly<Record<FailOn, readonly Audience[]>> = { wire: ["wire"], source: ["wire", "source"] };

export const roles: readonly Role[] = ["call", "send", "read", "error", "import"];

/** The worst first. */
export const verdicts: readonly Verdict[] = ["breaking", "warning", "additive", "neutral"];

/** Sorts breaking changes first, and those of one verdict by their place. */
export function byVerdict<One extends { readonly verdict: Verdict; readonly place: string }>(a: One, b: One): number {
  return verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) || (a.place < b.place ? -1 : 1);
}

export function worst(all: Iterable<Verdict>): Verdict {
  const found = new Set(all);
  return verdicts.find((verdict) => found.has(verdict)) ?? "neutral";
}
