/** Mock and local server check keys alike, in every security scheme, for a document that is new to both. */
import { mockService } from "@trainyard/mock";
import { createServer } from "@trainyard/server";
import { afterAll, expect, it } from "vitest";
import { outcomeOf } from "./probes.ts";

const key = "a-key";
const schemes = {
  token: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "basic" },
  header: { type: "apiKey", in: "header", name: "X-Project-Key" },
  query: { type: "apiKey", in: "query", name: "key" },
  grant: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://example.org/token", scopes: {} } } },
  identity: { type: "openIdConnect", openIdConnectUrl: "https://example.org/.well-known/openid-configuration" },
};
const security: Record<string, object[]> = {
  ...Object.fromEntries(Object.keys(schemes).map((name) => [name, [{ [name]: [] }]])),
  open: [],
  together: [{ token: [], header: [], query: [] }],
  either: [{ header: [] }, { basic: [] }, { token: [] }],
  optional: [{ query: [] }, {}],
};
const error = (code: string) => ({ value: { error: { message: "No.", code } } });
const answer = (examples: object) => ({
  description: "An answer.",
  content: { "application/json": { schema: { type: "object" }, examples } },
});
const vault = {
  openapi: "3.1.0",
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: { title: "Vault", version: "1.0.0" },
  servers: [{ url: "http://127.0.0.1:4010/vault" }],
  paths: Object.fromEntries(
    Object.entries(security).map(([name, one]) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          security: one,
          responses: {
            "200": answer({ open: { value: { open: true } } }),
            "401": answer({ missing: error("missing_api_key"), wrong: error("invalid_api_key") }),
          },
        },
      },
    ]),
  ),
  components: { securitySchemes: schemes },
};

const server = createServer({ keys: [{ key, entity: "harbor" }], documents: { vault } });
afterAll(() => server.close());
const mock = mockService(vault, { keys: [key] });

const authorizations = [
  undefined,
  "",
  `Bearer ${key}`,
  "Bearer other",
  `Basic ${btoa(`api:${key}`)}`,
  `Basic ${btoa(`bob:${key}`)}`,
  `Basic ${btoa("api:other")}`,
  `Digest ${key}`,
];
const others = [undefined, "", key, "other"];

it.each(Object.keys(security))("credentials for %s, in any combination", async (name) => {
  const statuses = new Set<unknown>();
  for (const authorization of authorizations) {
    for (const header of others) {
      for (const query of others) {
        const headers = {
          ...(authorization !== undefined && { authorization }),
          ...(header !== undefined && { "x-project-key": header }),
        };
        const target = `/vault/${name}${query === undefined ? "" : `?key=${query}`}`;
        const [ours, theirs] = await Promise.all([
          mock.handle(new Request(`http://mock.invalid${target}`, { headers })).then(outcomeOf),
          server.fetch(new Request(`http://local.invalid${target}`, { headers })).then(outcomeOf),
        ]);
        expect({ headers, target, ...ours }).toEqual({ headers, target, ...theirs });
        statuses.add(ours["status"]);
      }
    }
  }
  const isOpen = name === "open" || security[name]?.some((set) => Object.keys(set).length === 0);
  expect(statuses).toEqual(new Set(isOpen === true ? [200] : [200, 401]));
});
