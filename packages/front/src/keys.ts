import type { SecurityScheme } from "./document.ts";

/** What the credentials of a request are worth. `open`: the operation needs none. */
export type KeyVerdict = "good" | "open" | "missing" | "wrong";

/** A credential of a request. */
export interface Credential {
  readonly key: string;
  /** With basic authentication, whose password the key is. */
  readonly user?: string;
}

/**
 * Judges the credentials of a request.
 *
 * @param security any of these suffices; none at all means that the operation is open
 * @param isGood whether a credential is known
 */
export function judgeKey(
  headers: Headers,
  query: URLSearchParams,
  security: readonly (readonly SecurityScheme[])[],
  isGood: (credential: Credential) => boolean,
): KeyVerdict {
  const judge = (scheme: SecurityScheme): KeyVerdict => {
    const credential = findCredential(scheme, headers, query);
    if (credential === undefined) return "missing";
    return credential.key !== "" && isGood(credential) ? "good" : "wrong";
  };
  const verdicts = security.map((schemes) => schemes.map(judge));
  if (verdicts.some((all) => all.length > 0 && all.every((verdict) => verdict === "good"))) return "good";
  if (security.length === 0 || verdicts.some((all) => all.length === 0)) return "open";
  return headers.has("authorization") || verdicts.flat().includes("wrong") ? "wrong" : "missing";
}

function findCredential({ kind, name }: SecurityScheme, headers: Headers, query: URLSearchParams) {
  const value = (kind === "query" ? query : headers).get(name) ?? undefined;
  if (value === undefined) return undefined;
  if (kind === "query" || kind === "header") return { key: value };
  const [scheme = "", credentials = ""] = value.trim().split(/\s+(.*)/s);
  if (scheme.toLowerCase() !== kind) return undefined;
  return kind === "bearer" ? { key: credentials } : readBasic(credentials);
}

function readBasic(credentials: string): Credential {
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(credentials), (char) => char.charCodeAt(0)));
    const colon = pair.indexOf(":");
    return colon < 0 ? { key: "" } : { user: pair.slice(0, colon), key: pair.slice(colon + 1) };
  } catch {
    return { key: "" };
  }
}
