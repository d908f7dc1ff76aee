import { readDocument } from "@trainyard/document";
import { host, type Api, type Host, type HostOptions } from "../src/index.ts";

const text = { type: "string" };
const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
const error = (code: string, reason: string) => ({ value: { reason, code } });
const errors = (examples: object) => ({
  description: "Refused.",
  content: { "application/json": { schema: { type: "object" }, examples } },
});
const answer = (examples: object, extra: object = {}) => ({
  description: "Done.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" }, examples }, ...extra },
});
const refusals = {
  "400": errors({ wrong: error("invalid_value", "The name is wrong.") }),
  "401": errors({ missing: error("missing_api_key", "Send a key."), wrong: error("invalid_api_key", "No such key.") }),
  "404": errors({ unknown: error("unknown_thing", "There is no such thing.") }),
  "413": errors({ large: error("content_too_large", "Too large."), deep: error("content_too_large", "Too deep.") }),
  "429": { ...errors({ busy: error("too_many", "Wait.") }), headers: { "Retry-After": { example: 7 } } },
};

/** A document with everything that a host supports: every kind of security, a stream, bodies of other media types. */
export const shop = {
  openapi: "3.1.0",
  "x-trainyard": 1,
  info: { title: "Shop", version: "1.0.0" },
  servers: [{ url: "http://127.0.0.1:4010/shop" }],
  paths: {
    "/things": {
      get: operation("things.list", { security: [{ token: [] }], query: true }),
      post: operation("things.make", { security: [{ token: [] }], body: true, stream: true }),
    },
    "/things/{thing_id}": { get: operation("things.get", { security: [{ token: [] }], path: true }) },
    "/things/named": { get: operation("things.named", { security: [] }) },
    "/basic": { get: operation("secrets.basic", { security: [{ basic: [] }] }) },
    "/header": { get: operation("secrets.header", { security: [{ header: [] }] }) },
    "/query": { get: operation("secrets.query", { security: [{ query: [] }] }) },
    "/both": { get: operation("secrets.both", { security: [{ header: [], query: [] }] }) },
    "/either": { get: operation("secrets.either", { security: [{ header: [] }, { token: [] }] }) },
    "/cookie": { get: operation("secrets.cookie", { security: [{ cookie: [] }] }) },
    "/optional": { get: operation("secrets.optional", { security: [{ token: [] }, {}] }) },
    "/text": { put: operation("texts.put", { security: [], text: true }) },
  },
  components: {
    schemas: {
      Thing: { type: "object", properties: { name: { ...text, maxLength: 20 } }, required: ["name"] },
    },
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      basic: { type: "http", scheme: "basic" },
      header: { type: "apiKey", in: "header", name: "X-Shop-Key" },
      query: { type: "apiKey", in: "query", name: "shop_key" },
      cookie: { type: "apiKey", in: "cookie", name: "shop_key" },
    },
  },
};

interface Parts {
  readonly security: readonly object[];
  readonly query?: boolean;
  readonly path?: boolean;
  readonly body?: boolean;
  readonly text?: boolean;
  readonly stream?: boolean;
}

function operation(name: string, { security, query, path, body, text: plain, stream }: Parts): object {
  const json = { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } };
  const events = { "text/event-stream": { schema: { type: "string" }, example: "data: 1\n\ndata: [DONE]\n\n" } };
  return {
    operationId: name.replace(".", "_"),
    "x-client-method": name,
    security,
    parameters: [
      ...(query ? [{ name: "limit", in: "query", schema: { type: "integer", default: 20, maximum: 100 } }] : []),
      ...(path
        ? [{ name: "thing_id", in: "path", required: true, schema: { ...text, format: "uuid" }, example: id }]
        : []),
    ],
    ...(body && { requestBody: { required: true, content: json } }),
    ...(plain && { requestBody: { content: { "text/plain": { schema: text } } } }),
    ...(stream && { "x-stream": { toggle: "stream", end: "[DONE]" } }),
    responses: {
      "200": answer({ first: { value: { name: "one" } }, second: { value: { name: "two" } } }, stream ? events : {}),
      ...refusals,
    },
  };
}

/** A host of the shop. The key `good` is valid and belongs to `harbor`. */
export function shopHost(api: Partial<Api> = {}, options: HostOptions = {}): Host {
  const keys: Api["keys"] = ({ key, user = "api" }) => (key === "good" && user === "api" ? "harbor" : undefined);
  return host({ name: "shop", document: readDocument(shop), keys, ...api }, { unhandled: () => undefined, ...options });
}

/** Sends a request, by default with the valid key. */
export async function ask(to: Host, path: string, init: RequestInit = {}) {
  const headers = new Headers({ authorization: "Bearer good", "content-type": "application/json" });
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  const method = init.method ?? (init.body === undefined ? "GET" : "POST");
  const response = await to.fetch(new Request(`http://shop.invalid/shop${path}`, { ...init, method, headers }));
  const content = await response.text();
  const isJson = response.headers.get("content-type")?.endsWith("json") === true && content.startsWith("{");
  const body: unknown = isJson ? JSON.parse(content) : content;
  return { status: response.status, headers: response.headers, body };
}

/** Members whose values vary. */
export { id as thingId };
