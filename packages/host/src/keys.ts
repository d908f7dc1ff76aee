import type { Security, SecurityScheme } from "@trainyard/document";

/** A credential of a request. */
export interface Credential {
  readonly key: string;
  /** With basic authentication, whose password the key is. */
  readonly user?: string;
}

/** Who a credential belongs to; undefined for one that nobody knows. */
export type Owner = (credential: Credential, scheme: SecurityScheme) => string | undefined;

/** What the credentials of a request are worth. `open`: the operation needs none. */
export type KeyVerdict =
  | { readonly verdict: "good"; readonly owner: string }
  | { readonly verdict: "open" | "missing" | "wrong" };

/**
 * Judges the credentials of a request, wherever they are carried. Where an operation can be called without, a good credential
 * still says who calls. What is needed together must belong to one owner.
 *
 * @param security any of these suffices; none at all means that the operation is open
 * @param query read only where a credential is carried in it
 */
export function judgeKey(headers: Headers, query: () => URLSearchParams, security: Security, owner: Owner): KeyVerdict {
  if (security.length === 0) return { verdict: "open" };
  let isWrong = false;
  let isOpen = false;
  for (const schemes of security) {
    if (schemes.length === 0) {
      isOpen = true;
      continue;
    }
    const owners = schemes.map((scheme) => {
      const credential = findCredential(scheme, headers, query);
      if (credential === undefined) return undefined;
      const found = credential.key === "" ? undefined : owner(credential, scheme);
      isWrong ||= found === undefined;
      return found;
    });
    const [first, ...others] = owners;
    if (first === undefined) continue;
    if (others.every((one) => one === first)) return { verdict: "good", owner: first };
    isWrong ||= !others.includes(undefined);
  }
  if (isOpen) return { verdict: "open" };
  return { verdict: isWrong || sendsOtherwise(headers, security) ? "wrong" : "missing" };
}

/** Whether credentials came in a way that no scheme of the operation knows. */
function sendsOtherwise(headers: Headers, security: Security): boolean {
  const kinds = new Set(security.flat().map(({ carrier }) => carrier?.kind));
  const isSent = (headers.get("authorization") ?? "").trim() !== "";
  return isSent && (kinds.has("bearer") || kinds.has("basic"));
}

function findCredential(
  { carrier }: SecurityScheme,
  headers: Headers,
  query: () => URLSearchParams,
): Credential | undefined {
  if (carrier === undefined) return undefined;
  if (carrier.kind === "header" || carrier.kind === "query") {
    const key = carrier.kind === "query" ? query().get(carrier.name) : headers.get(carrier.name);
    return key === null ? undefined : { key };
  }
  const value = headers.get("authorization");
  if (value === null) return undefined;
  const [scheme = "", credentials = ""] = value.trim().split(/\s+(.*)/s);
  if (scheme.toLowerCase() !== carrier.kind) return undefined;
  return carrier.kind === "bearer" ? { key: credentials } : readBasic(credentials);
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
