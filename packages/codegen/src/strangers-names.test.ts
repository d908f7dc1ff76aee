import { explainFacts } from "@trainyard/document";
import { expect, it } from "vitest";
import { compile, connected, described, documentOf, thing, written, type Received } from "../test/strange.ts";
import { judge } from "./read-service.ts";
import { validatorsModule } from "./validators.ts";

it("names the methods of a document without our keys, in groups and beside them", async () => {
  const query = [{ in: "query", name: "page", schema: { type: "integer" } }];
  const id = { in: "path", name: "id", required: true, schema: { type: "string" } };
  const ok = { responses: { 200: described({ "application/json": thing }) } };
  const folder = await written({
    openapi: "3.1.0",
    info: { title: "Strange", version: "1" },
    paths: {
      "/users": { get: { ...ok, parameters: query, operationId: "list_users" }, post: { ...ok, operationId: "same" } },
      "/users/{id}/keys": {
        get: { ...ok, parameters: [id, ...query] },
        put: { ...ok, parameters: [id], operationId: "same" },
      },
      "/then": { delete: { ...ok, operationId: "then", tags: ["API Keys"] } },
    },
  });
  const seen: string[] = [];
  const { client } = await connected(folder, ({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    response.writeHead(method === "POST" ? 500 : 200, { "content-type": "application/json" }).end('{"n":1}');
  });
  const program = `
import { createStrangeClient } from "./client.ts";
const client = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const all: number[] = [
  (await client.listUsers({ query: { page: 1 } })).n,
  (await client.users.getByIdKeys("a", { query: { page: 1 } })).n,
  (await client.users.putByIdKeys("a")).n,
  (await client.users.post()).n,
  (await client.apiKeys.deleteThen()).n,
];
console.log(all);
`;
  expect(await compile(folder, program)).toEqual([]);
  const { listUsers } = Object(client);
  expect([await listUsers(), await client["users"]?.["putByIdKeys"]?.("a")]).toEqual([{ n: 1 }, { n: 1 }]);
  expect(seen).toEqual(["GET /users", "PUT /users/a/keys"]);
});

it("gives types other names, where a component's is no identifier or that of another type", async () => {
  const kind = (name: string) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: name }, of: { $ref: "#/components/schemas/api-error/properties/code" } },
  });
  const either = ["the-cat", "Record"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const document = documentOf(
    {
      "pets.get GET /pets": {
        parameters: [{ in: "query", name: "all", schema: { $ref: "#/components/schemas/user" } }],
        responses: {
          200: described({ "application/json": { schema: { $ref: "#/components/schemas/Either" } } }),
          default: described({ "application/json": { schema: { $ref: "#/components/schemas/api-error" } } }),
        },
      },
      "notFound.limited PUT /limited": { responses: { 404: described() } },
    },
    {
      "the-cat": kind("the-cat"),
      Record: kind("Record"),
      Either: { oneOf: either, discriminator: { propertyName: "kind" } },
      "api-error": { type: "object", properties: { code: { type: "integer" } } },
      ...Object.fromEntries(
        ["user", "ApiError", "PetsMethods", "PetsGetQuery", "StrangeClient", "operations", "constructor", "S"].map(
          (name) => [name, { type: "string" }],
        ),
      ),
    },
  );
  const { service, renamed, derived } = judge("strange", document);
  const line = /^RecordSchema +#\/components\/schemas\/Record +type of the schema Record, which has the name of a type/;
  expect(explainFacts(derived)).toContainEqual(expect.stringMatching(line));
  expect(Object.fromEntries([...renamed].map(([component, { name }]) => [component, name]))).toEqual({
    ApiError: "ApiErrorSchema",
    PetsGetQuery: "PetsGetQuerySchema",
    PetsMethods: "PetsMethodsSchema",
    Record: "RecordSchema",
    S: "SSchema",
    StrangeClient: "StrangeClientSchema",
    "api-error": "ApiErrorSchema2",
    constructor: "ConstructorSchema",
    operations: "OperationsSchema",
    "the-cat": "TheCatSchema",
  });
  expect(Object(service.document.components?.schemas?.["Either"]).discriminator.mapping).toEqual({
    "the-cat": "#/components/schemas/TheCatSchema",
    Record: "#/components/schemas/RecordSchema",
  });
  const folder = await written(document);
  const program = `
import { createStrangeClient } from "./client.ts";
import type { ApiErrorSchema, ApiErrorSchema2, RecordSchema, TheCatSchema, user } from "./schema.ts";
const { pets, notFound } = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const all: user = "all";
const either: RecordSchema | TheCatSchema = await pets.get({ query: { all } });
const code: ApiErrorSchema2["code"] = either.kind === "Record" ? either.of : 1;
const text: ApiErrorSchema = "";
const arrived: unknown = await notFound.limited();
console.log(code, text, arrived);
`;
  expect(await compile(folder, program)).toEqual([]);
  const judged = await validatorsModule(service.document);
  expect(judged.types).toContain("export declare const isTheCatSchema: Validator<schema.TheCatSchema>;");
});

it("sends the credentials of every scheme, whose options have its name in camel case", async () => {
  const schemes = {
    "Session-Key": { type: "apiKey", in: "cookie", name: "sid" },
    api_key: { type: "apiKey", in: "query", name: "key" },
    OAuth: { type: "oauth2", flows: {} },
    "open id": { type: "openIdConnect", openIdConnectUrl: "https://id.invalid" },
  };
  const ok = { responses: { 204: described() } };
  const cookie = { parameters: [{ in: "cookie", name: "crumb", schema: { type: "string" } }] };
  const document = documentOf({
    "a.session GET /session": { ...ok, ...cookie, security: [{ "Session-Key": [], api_key: [] }] },
    "a.token GET /token": { ...ok, security: [{ OAuth: [] }] },
    "a.id GET /id": { ...ok, security: [{ "open id": [] }] },
  });
  const folder = await written({ ...document, components: { ...document.components, securitySchemes: schemes } });
  const seen: Received[] = [];
  const options = { sessionKey: "s", apiKey: "k", oAuth: async () => "token", openId: "id" };
  const { client } = await connected(
    folder,
    (received, response) => {
      seen.push(received);
      response.writeHead(204).end();
    },
    options,
  );
  await client["a"]?.["session"]?.({ cookies: { crumb: 1 } });
  await client["a"]?.["token"]?.();
  await client["a"]?.["id"]?.();
  expect(seen.map(({ url, headers: { cookie: sent, authorization } }) => [url, sent ?? authorization])).toEqual([
    ["/session?key=k", "crumb=1; sid=s"],
    ["/token", "Bearer token"],
    ["/id", "Bearer id"],
  ]);
  const program = `
import { createStrangeClient } from "./client.ts";
createStrangeClient({ sessionKey: "s", apiKey: "k", oAuth: async () => "token", openId: () => "id" });
`;
  expect(await compile(folder, program)).toEqual([]);
});
