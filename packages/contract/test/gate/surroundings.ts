import { type Json } from "@trainyard/document";
import type { JsonObject } from "../../src/json.ts";
import { type Row, rowsOf } from "./row.ts";

/** One scheme, which the only operation requires. */
function credentials(scheme: JsonObject, security: Json = [{ login: [] }]): { root: JsonObject } {
  const schemas = { Order: {}, Result: {}, Part: {} };
  const components = { schemas, securitySchemes: { login: scheme, other: { type: "http", scheme: "basic" } } };
  return { root: { security, components } };
}

/** Parts of a document. */
const parts = {
  server: (region: JsonObject) => ({
    root: { servers: [{ url: "https://{region}.example.com", variables: { region } }] },
  }),
  scheme: (scheme: JsonObject) => credentials(scheme),
  required: (security: Json) => credentials({ type: "apiKey", in: "header", name: "key" }, security),
  tokens: ([more, security]: Json[]) => {
    const flow = { tokenUrl: "https://example.com/token", scopes: { read: "Reads." }, ...Object(more) };
    return credentials({ type: "oauth2", flows: { clientCredentials: flow } }, security);
  },
};

/** Servers and credentials of a document. */
export const surroundings: readonly Row[] = rowsOf(
  `
server: a server variable gets an enumeration | breaking or warning | Other values were possible.
  {default: eu} → {default: eu, enum: [eu]}
server: the enumeration of a server variable grows | additive | The old values stay.
  {default: eu, enum: [eu]} → {default: eu, enum: [eu, us]}
server: the enumeration of a server variable shrinks | breaking or warning | Callers used the other value.
  {default: eu, enum: [eu, us]} → {default: eu, enum: [eu]}
server: the enumeration of a server variable is reordered | neutral | The order has no meaning.
  {default: eu, enum: [eu, us]} → {default: eu, enum: [us, eu]}
server: the enumeration of a server variable is removed | additive | The old value stays.
  {default: eu, enum: [eu]} → {default: eu}
server: the enumeration of a server variable is replaced | breaking or warning | Callers used the other value.
  {default: eu, enum: [eu, us]} → {default: eu, enum: [eu, asia]}
server: a server variable has another default and more values
  | breaking or warning | Callers that use the default send elsewhere.
  {default: eu, enum: [eu]} → {default: us, enum: [eu, us]}
required: two schemes become alternatives | additive | Calls with both are still accepted.
  [{login: [], other: []}] → [{login: []}, {other: []}]
required: two alternatives are needed together | breaking | Calls with one are rejected.
  [{login: []}, {other: []}] → [{login: [], other: []}]
required: an alternative is removed | breaking | Calls with it are rejected.
  [{login: []}, {other: []}] → [{login: []}]
required: an alternative is added | additive | Calls with the old one are accepted.
  [{login: []}] → [{login: []}, {other: []}]
scheme: a key moves from a header to the query | breaking | It is sent in another way.
  {type: apiKey, in: header, name: key} → {type: apiKey, in: query, name: key}
tokens: tokens come from another address | breaking | Programs ask the old one.
  [{}, [{login: [read]}]] → [{tokenUrl: "https://example.org/token"}, [{login: [read]}]]
tokens: tokens can be renewed | additive | Tokens are got as before.
  [{}, [{login: [read]}]] → [{refreshUrl: "https://example.com/renew"}, [{login: [read]}]]
tokens: a scope is added that no operation needs | neutral or additive | No call changes.
  [{}, [{login: [read]}]] → [{scopes: {read: Reads., write: Writes.}}, [{login: [read]}]]
tokens: a scope is removed that no operation needed | neutral or additive | No call changes.
  [{scopes: {read: Reads., write: Writes.}}, [{login: [read]}]] → [{}, [{login: [read]}]]
tokens: a scope is removed that an operation needed | breaking | Programs ask for it.
  [{}, [{login: [read]}]] → [{scopes: {}}]
tokens: a scope is described in other words | neutral | No call changes.
  [{}, [{login: [read]}]] → [{scopes: {read: Reads all.}}, [{login: [read]}]]
tokens: an operation needs another scope | breaking | Tokens do not have it.
  [{scopes: {read: Reads., write: Writes.}}, [{login: [read]}]]
  → [{scopes: {read: Reads., write: Writes.}}, [{login: [read, write]}]]
`,
  parts,
);
