import type { Json, JsonObject } from "../../src/json.ts";
import { type Judgment, type Row, between } from "./row.ts";

const server = (variable: JsonObject): JsonObject => ({
  servers: [{ url: "https://{region}.example.com", variables: { region: variable } }],
});

/** One scheme, which the only operation requires with the scope `read`. */
function credentials(scheme: JsonObject, security: Json = [{ login: [] }]): JsonObject {
  const small = { schemas: { Order: {}, Result: {}, Part: {} } };
  return {
    security,
    components: { ...small, securitySchemes: { login: scheme, other: { type: "http", scheme: "basic" } } },
  };
}

const flow = (more: JsonObject = {}): JsonObject => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl: "https://example.com/token", scopes: { read: "Reads." }, ...more } },
});
const reads = [{ login: ["read"] }];
const either = [{ login: [] }, { other: [] }];
const together = [{ login: [], other: [] }];
const key = (place: string): JsonObject => ({ type: "apiKey", in: place, name: "key" });

/** Changes of the document. */
const documents: readonly [name: string, before: JsonObject, now: JsonObject, judgment: Judgment, why: string][] = [
  [
    "a server variable gets an enumeration",
    server({ default: "eu" }),
    server({ default: "eu", enum: ["eu"] }),
    "breaking or warning",
    "Other values were possible.",
  ],
  [
    "the enumeration of a server variable grows",
    server({ default: "eu", enum: ["eu"] }),
    server({ default: "eu", enum: ["eu", "us"] }),
    "additive",
    "The old values stay.",
  ],
  [
    "the enumeration of a server variable shrinks",
    server({ default: "eu", enum: ["eu", "us"] }),
    server({ default: "eu", enum: ["eu"] }),
    "breaking or warning",
    "Callers used the other value.",
  ],
  [
    "the enumeration of a server variable is reordered",
    server({ default: "eu", enum: ["eu", "us"] }),
    server({ default: "eu", enum: ["us", "eu"] }),
    "neutral",
    "The order has no meaning.",
  ],
  [
    "the enumeration of a server variable is removed",
    server({ default: "eu", enum: ["eu"] }),
    server({ default: "eu" }),
    "additive",
    "The old value stays.",
  ],
  [
    "the enumeration of a server variable is replaced",
    server({ default: "eu", enum: ["eu", "us"] }),
    server({ default: "eu", enum: ["eu", "asia"] }),
    "breaking or warning",
    "Callers used the other value.",
  ],
  [
    "a server variable has another default and more values",
    server({ default: "eu", enum: ["eu"] }),
    server({ default: "us", enum: ["eu", "us"] }),
    "breaking or warning",
    "Callers that use the default send elsewhere.",
  ],
  [
    "two schemes become alternatives",
    credentials(key("header"), together),
    credentials(key("header"), either),
    "additive",
    "Calls with both are still accepted.",
  ],
  [
    "two alternatives are needed together",
    credentials(key("header"), either),
    credentials(key("header"), together),
    "breaking",
    "Calls with one are rejected.",
  ],
  [
    "an alternative is removed",
    credentials(key("header"), either),
    credentials(key("header")),
    "breaking",
    "Calls with it are rejected.",
  ],
  [
    "an alternative is added",
    credentials(key("header")),
    credentials(key("header"), either),
    "additive",
    "Calls with the old one are accepted.",
  ],
  [
    "a key moves from a header to the query",
    credentials(key("header")),
    credentials(key("query")),
    "breaking",
    "It is sent in another way.",
  ],
  [
    "tokens come from another address",
    credentials(flow(), reads),
    credentials(flow({ tokenUrl: "https://example.org/token" }), reads),
    "breaking",
    "Programs ask the old one.",
  ],
  [
    "tokens can be renewed",
    credentials(flow(), reads),
    credentials(flow({ refreshUrl: "https://example.com/renew" }), reads),
    "additive",
    "Tokens are got as before.",
  ],
  [
    "a scope is added that no operation needs",
    credentials(flow(), reads),
    credentials(flow({ scopes: { read: "Reads.", write: "Writes." } }), reads),
    "neutral or additive",
    "No call changes.",
  ],
  [
    "a scope is removed that no operation needed",
    credentials(flow({ scopes: { read: "Reads.", write: "Writes." } }), reads),
    credentials(flow(), reads),
    "neutral or additive",
    "No call changes.",
  ],
  [
    "a scope is removed that an operation needed",
    credentials(flow(), reads),
    credentials(flow({ scopes: {} })),
    "breaking",
    "Programs ask for it.",
  ],
  [
    "a scope is described in other words",
    credentials(flow(), reads),
    credentials(flow({ scopes: { read: "Reads all." } }), reads),
    "neutral",
    "No call changes.",
  ],
  [
    "an operation needs another scope",
    credentials(flow({ scopes: { read: "Reads.", write: "Writes." } }), reads),
    credentials(flow({ scopes: { read: "Reads.", write: "Writes." } }), [{ login: ["read", "write"] }]),
    "breaking",
    "Tokens do not have it.",
  ],
];

/** Servers and credentials of a document. */
export const surroundings: readonly Row[] = documents.map(([name, before, now, ...judged]) =>
  between(name, { root: before }, { root: now }, ...judged),
);
