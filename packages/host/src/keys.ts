import type { Operation, Security, SecurityScheme } from "@trainyard/document";
import type { HostCode, Refusal } from "./refusal.ts";

/** A credential of a request. */
export interface Credential {
  readonly key: string;
  /** Set for basic authentication, where the key is the password. */
  readonly user?: string;
}

/** Who a credential belongs to. */
export interface Caller {
  /** Such as the entity of a key. */
  readonly owner: string;
  /** A name of the credential for the log. */
  readonly id?: string;
  /** Why this operation is refused: 401 if the credential is no longer valid, 403 if it does not permit the operation. */
  readonly refusal?: Refusal<401 | 403, HostCode>;
}

/** Returns the caller of a credential, or its owner alone; undefined if it is not valid. */
export type Owner = (
  credential: Credential,
  scheme: SecurityScheme,
  operation: Operation,
) => string | Caller | undefined;

/** The result for the credentials of a request. `open`: the operation needs none. */
export type KeyVerdict =
  | { readonly verdict: "good"; readonly caller: Caller }
  | { readonly verdict: "open" | "missing" | "wrong" };

/**
 * Checks the credentials of a request, wherever they are sent. If an operation does not require credentials, valid ones
 * still identify the caller. Credentials that are needed together must have the same owner.
 *
 * @param operation its `security` has alternatives; if there are none, it is open
 * @param query read only if a credential is sent in it
 */
export function judgeKey(
  headers: Headers,
  query: () => URLSearchParams,
  operation: Operation,
  owner: Owner,
): KeyVerdict {
  const { security } = operation;
  if (security.length === 0) return { verdict: "open" };
  let isWrong = false;
  let isOpen = false;
  for (const schemes of security) {
    if (schemes.length === 0) {
      isOpen = true;
      continue;
    }
    const callers = schemes.map((scheme): Caller | undefined => {
      const credential = findCredential(scheme, headers, query);
      if (credential === undefined) return undefined;
      const found = credential.key === "" ? undefined : owner(credential, scheme, operation);
      isWrong ||= found === undefined;
      return typeof found === "string" ? { owner: found } : found;
    });
    const [first, ...others] = callers;
    if (first === undefined) continue;
    if (others.every((one) => one?.owner === first.owner)) {
      const caller = [first, ...others].find((one) => one?.refusal) ?? first;
      // What needs no key is not refused to one that has expired.
      if (caller.refusal === undefined || security.every(({ length }) => length > 0))
        return { verdict: "good", caller };
    }
    isWrong ||= !others.includes(undefined);
  }
  if (isOpen) return { verdict: "open" };
  return { verdict: isWrong || sendsOtherwise(headers, security) ? "wrong" : "missing" };
}

/** The refusal of a request whose credentials are missing or wrong. */
export function keyRefusal(verdict: "missing" | "wrong", { security }: Operation): Refusal<401, HostCode> {
  return verdict === "missing"
    ? { refusal: 401, code: "missing_api_key", example: /missing/i, otherwise: describeKeys(security) }
    : { refusal: 401, code: "invalid_api_key", example: /wrong|invalid/i, otherwise: "The key is not valid." };
}

/** Says how the credentials of an operation are sent. */
function describeKeys(security: Security): string {
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
