/** A document with every kind of credential: from the document to the client, and from the client to what answers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generate } from "@trainyard/codegen/generate";
import { mockService } from "@trainyard/mock";
import { beforeAll, expect, it } from "vitest";
import { repositoryOf } from "./repository.ts";

const { root, client } = repositoryOf("vault");

const schemes = {
  apiKey: { type: "http", scheme: "bearer" },
  basicKey: { type: "http", scheme: "basic" },
  projectKey: { type: "apiKey", in: "header", name: "X-Project-Key" },
  queryKey: { type: "apiKey", in: "query", name: "key" },
  grant: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://example.org/token", scopes: {} } } },
  login: { type: "openIdConnect", openIdConnectUrl: "https://example.org/.well-known/openid-configuration" },
};
const names = Object.keys(schemes);
const together = ["apiKey", "projectKey", "queryKey"];

/** A credential of each scheme, as an option of the client has it. */
const given = Object.fromEntries(names.map((name) => [name, `canary-${name}`]));

const operation = (name: string, security: object[]) => ({
  operationId: name,
  "x-client-method": `${name}.open`,
  "x-resend": "never",
  security,
  responses: {
    "200": {
      description: "It is open.",
      content: {
        "application/json": {
          schema: { type: "object", properties: { open: { type: "boolean" } }, required: ["open"] },
          examples: { open: { value: { open: true } } },
        },
      },
    },
    "401": { description: "It stays shut." },
  },
});

const document = {
  openapi: "3.1.0",
  "x-trainyard": 1,
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: { title: "Vault", version: "1.0.0" },
  servers: [{ url: "http://127.0.0.1:4010" }],
  paths: Object.fromEntries([
    ...names.map((name) => [`/${name}`, { get: operation(name, [{ [name]: [] }]) }]),
    ["/together", { get: operation("together", [Object.fromEntries(together.map((name) => [name, []]))]) }],
  ]),
  components: { securitySchemes: schemes },
};

let createVaultClient: (options: object) => Record<string, { open(): Promise<object> }>;

beforeAll(async () => {
  mkdirSync(join(root, "openapi/vault"), { recursive: true });
  // JSON is YAML.
  writeFileSync(join(root, "openapi/vault/openapi.yaml"), JSON.stringify(document));
  await generate(root);
  const source = pathToFileURL(join(client, "src/generated/client.ts")).href;
  ({ createVaultClient } = await import(/* @vite-ignore */ source));
});

/** What a client of these options gets where these keys are good. */
async function opened(name: string, options: object, keys: readonly string[]): Promise<unknown> {
  const bundle = JSON.parse(readFileSync(join(client, "src/generated/openapi.json"), "utf8"));
  const { baseUrl, fetch } = mockService(bundle, { keys }).connect();
  const door = createVaultClient({ ...given, baseUrl, fetch, maxRetries: 0, ...options })[name];
  return door?.open().catch((error: unknown) => (error instanceof Error ? error.name : error));
}

it("types an option for each scheme", () => {
  const text = readFileSync(join(client, "src/generated/client.ts"), "utf8");
  const options = /export interface VaultClientOptions [^]*?\n\}/.exec(text)?.[0] ?? "";
  expect([...options.matchAll(/^ {2}(\w+)\?: Secret \| null;$/gm)].map(([, name]) => name)).toEqual(
    names.filter((name) => name !== "apiKey"),
  );
});

it.each([...names.map((name) => [name, [name]] as const), ["together", together] as const])(
  "%s is accepted as it is sent, and rejected if a part of it is wrong or missing",
  async (name, needed) => {
    const good = needed.map((scheme) => `canary-${scheme}`);
    expect(await opened(name, {}, good)).toEqual({ open: true });
    for (const scheme of needed)
      for (const value of ["canary-of-somebody-else", null])
        expect([scheme, value, await opened(name, { [scheme]: value }, good)]).toEqual([
          scheme,
          value,
          "UnauthorizedError",
        ]);
  },
);
