import type { Security, SecurityScheme } from "@trainyard/document";

/** A credential of a request. */
export interface Credential {
  readonly key: string;
  /** Set for basic authentication, where the key is the password. */
  readonly user?: string;
}

/** Returns the owner of a credential; undefined if it is not valid. */
export type Owner = (credential: Credential, scheme: SecurityScheme) => string | undefined;

/** The result for the credentials of a request. `open`: the operation needs none. */
export type KeyVerdict =
  | { readonly verdict: "good"; readonly owner: string }
  | { readonly verdict: "open" | "missing" | "wrong" };

/**
 * Checks the credentials of a request, wherever they are sent. If an operation does not require credentials, valid ones
 * still identify the caller. Credentials that are needed together must have the same owner.
 *
 * @param security alternatives; if there are none, the operation is open
 * @param query read only if a credential is sent in it
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

/** Says how the credentials of an operation are sent. */
export function describeKeys(security: Security): string {
  const describe = ({ name, carrier }: SecurityScheme) => {
    if (carrier?.kind === "bearer") return "as `Authorization: Bearer <key>`";
    if (carrier?.kind === "basic") return "as `Authorization: Basic <user and password>`";
    if (carrier?.kind === "header") return `in the header \`${carrier.name}\``;
    if (carrier?.kind === "query") return `as \`${carrier.name}=<key>\` in the query`;
    if (carrier?.kind === "cookie") return `in the cookie \`${carrier.name}\``;
    return `as the scheme \`${name}\` says, which is not supported here`;
  };
  return `Send a key ${security.map((schemes) => schemes.map(describe).join(" and ")).join(", or ")}.`;
}

/** Whether the request has credentials in a form that no scheme of the operation uses. */
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
  if ("name" in carrier) {
    const key = carrier.kind === "query" ? query().get(carrier.name) : sentIn(headers, carrier);
    return key === null ? undefined : { key };
  }
  const value = headers.get("authorization");
  if (value === null) return undefined;
  const [scheme = "", credentials = ""] = value.trim().split(/\s+(.*)/s);
  if (scheme.toLowerCase() !== carrier.kind) return undefined;
  return carrier.kind === "bearer" ? { key: credentials } : readBasic(credentials);
}

/** The value of a header, or of a cookie among them. */
function sentIn(headers: Headers, { kind, name }: { readonly kind: string; readonly name: string }): string | null {
  if (kind === "header") return headers.get(name);
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/);
  const value = cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  // Clients encode what a cookie cannot contain.
  return value?.replace(/%(22|2C|3B|5C)/gi, decodeURIComponent) ?? null;
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
