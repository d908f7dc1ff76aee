import { isObject } from "@trainyard/core/validation";
import { deriveOptionNames } from "./derive.ts";
import { locate, locateIn, textOf, type Located } from "./locate.ts";

/**
 * How a credential is sent: `bearer` and `basic` in `Authorization`; `header`, `query` and `cookie` in a header, a query
 * parameter or a cookie of that name. Tokens of OAuth2 and OpenID Connect are sent as `bearer`.
 */
export type Carrier =
  | { readonly kind: "bearer" }
  | { readonly kind: "basic" }
  | { readonly kind: "header" | "query" | "cookie"; readonly name: string };

/** A security scheme. */
export interface SecurityScheme extends Located {
  /** The client option that holds the credential: the name of its component in camel case, `apiKey`. */
  readonly name: string;
  readonly description: string;
  /** Undefined for schemes that are not supported: client certificates, other HTTP schemes. */
  readonly carrier: Carrier | undefined;
}

/** Alternatives, each a set of schemes that are needed together. An empty set needs nothing. */
export type Security = readonly (readonly SecurityScheme[])[];

/** The security of an operation: its own, else the document's, else none. */
export function readSecurity(document: object, operation: Located): Security {
  const stated = operation.node["security"] ?? locate(document, "#").node["security"];
  return (Array.isArray(stated) ? stated : []).map((requirement) =>
    Object.keys(isObject(requirement) ? requirement : {}).map((name) => readScheme(document, name)),
  );
}

function readScheme(document: object, component: string): SecurityScheme {
  const components = locate(document, "#/components/securitySchemes");
  const located = locateIn(document, components, component);
  const name = deriveOptionNames([component, ...Object.keys(components.node)]).get(component) ?? component;
  return { ...located, name, description: textOf(located.node["description"]), carrier: carrierOf(located.node) };
}

function carrierOf({ type, scheme, in: where, name }: Located["node"]): Carrier | undefined {
  if (type === "oauth2" || type === "openIdConnect") return { kind: "bearer" };
  if (type === "http") {
    const kind = String(scheme).toLowerCase();
    return kind === "bearer" || kind === "basic" ? { kind } : undefined;
  }
  const kind = (["header", "query", "cookie"] as const).find((one) => one === where);
  return type === "apiKey" && kind && typeof name === "string" && name !== "" ? { kind, name } : undefined;
}
