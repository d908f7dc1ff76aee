import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { explainFacts } from "@trainyard/document";
import { expect, it, onTestFinished } from "vitest";
import { compile, described, documentOf, written } from "../test/strange.ts";
import { type Schema, schemasOf } from "@trainyard/document/files";
import { judge } from "./read-service.ts";
import { schemaTypes } from "./schema-types.ts";
import { validatorsModule } from "./validators.ts";

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: "object",
  required,
  properties,
});
const text: Schema = { type: "string" };
const id: Schema = { ...text, readOnly: true };
const secret: Schema = { ...text, writeOnly: true };
const User = object({ id, name: text, secret });

/** A document whose operations send and receive components: `{ post: ["Sent", "Received"] }`. */
function used(
  uses: Record<string, readonly [sent: Schema | undefined, received: Schema]>,
  schemas: Record<string, Schema>,
) {
  const operations = Object.entries(uses).map(([name, [sent, received]]) => {
    const requestBody = sent && { required: true, content: { "application/json": { schema: sent } } };
    const responses = { 200: described({ "application/json": { schema: received } }) };
    return [`things.${name} POST /${name}`, { ...(requestBody && { requestBody }), responses }];
  });
  return documentOf(Object.fromEntries(operations), schemas);
}

async function typesOf(document: ReturnType<typeof used>): Promise<string> {
  const { service, faults } = judge("strange", document);
  expect(faults).toEqual([]);
  const types = await schemaTypes(service.document, service.operations, { hasPaths: false });
  return types.slice(0, types.indexOf("export interface paths")).trim();
}

it("gives a component whose required properties differ a type for each direction", async () => {
  const document = used({ make: [ref("User"), ref("User")] }, { User });
  expect(await typesOf(document)).toBe(`export interface User {
  readonly id: string;
  name: string;
}

export interface UserWrite {
  name: string;
  secret: string;
}`);
  const { service, derived } = judge("strange", document);
  const [operation] = service.operations;
  expect([operation?.body?.type, operation?.result.type]).toEqual(["UserWrite", "User"]);
  expect(explainFacts(derived)).toEqual([
    "UserWrite #/components/schemas/User  type of this schema in requests, which require other properties",
  ]);
});

const both = { make: [ref("Asked"), ref("Asked")] } as const;
const Team = object({ user: ref("User") });

it.each<[string, uses: Parameters<typeof used>[0], schemas: Record<string, Schema>, writes: Record<string, Schema>]>([
  ["only optional properties differ", both, { Asked: object({ id, secret, name: text }, ["name"]) }, {}],
  ["it is only sent", { make: [ref("User"), text] }, { User }, {}],
  ["it is only received", { make: [undefined, ref("User")] }, { User }, {}],
  [
    "what contains it is only received",
    { make: [ref("User"), ref("Team")], add: [ref("User"), ref("User")] },
    { User, Team },
    { UserWrite: {} },
  ],
  [
    "requests have it only in a property that is not theirs",
    { make: [ref("Team"), ref("Team")] },
    { User, Team: object({ lead: { allOf: [ref("User")], readOnly: true } }, []) },
    {},
  ],
  [
    "what contains it is only sent",
    { make: [ref("Team"), ref("User")] },
    { User, Team },
    { UserWrite: {}, Team: object({ user: ref("UserWrite") }) },
  ],
  [
    "what contains it is both, too",
    { make: [ref("Team"), ref("Team")] },
    { User, Team },
    { UserWrite: {}, TeamWrite: object({ user: ref("UserWrite") }), Team },
  ],
  [
    "it is in a list of a map of a part of `allOf`",
    both,
    { User, Asked: { allOf: [{ type: "object", additionalProperties: { type: "array", items: ref("User") } }] } },
    {
      UserWrite: {},
      AskedWrite: { allOf: [{ type: "object", additionalProperties: { type: "array", items: ref("UserWrite") } }] },
    },
  ],
  [
    "it is a member of a union, whose tags have the names that the document gives",
    both,
    {
      User: object({ id, kind: { const: "User" } }),
      Robot: object({ kind: { const: "Robot" } }),
      Asked: { oneOf: [ref("User"), ref("Robot")], discriminator: { propertyName: "kind" } },
    },
    {
      UserWrite: {},
      AskedWrite: {
        oneOf: [ref("UserWrite"), ref("Robot")],
        discriminator: {
          propertyName: "kind",
          mapping: { User: "#/components/schemas/UserWrite", Robot: "#/components/schemas/Robot" },
        },
      },
    },
  ],
  [
    "it contains itself",
    both,
    { Asked: object({ id, children: { type: "array", items: ref("Asked") } }) },
    {
      AskedWrite: {
        ...object({ id, children: { type: "array", items: ref("AskedWrite") } }, ["children"]),
      },
    },
  ],
  [
    "what has the marks is required above it",
    both,
    { Base: object({ id, name: text }, []), Asked: { allOf: [ref("Base")], required: ["id", "name"] } },
    { AskedWrite: { allOf: [ref("Base")], required: ["name"] } },
  ],
  [
    "what has the marks is two types, too",
    both,
    { User, Asked: { allOf: [ref("User"), object({ more: text }, [])], required: ["id", "more"] } },
    { UserWrite: {}, AskedWrite: { allOf: [ref("UserWrite"), object({ more: text }, [])], required: ["more"] } },
  ],
  [
    "the mark is beside a reference",
    both,
    { Text: text, Asked: object({ id: { ...ref("Text"), readOnly: true } }) },
    { AskedWrite: { type: "object", properties: { id: { ...ref("Text"), readOnly: true } } } },
  ],
  [
    "a request refers to a part of it",
    { make: [object({ address: ref("User/properties/address") }), ref("User")] },
    { User: object({ address: object({ id, street: text }) }) },
    { UserWrite: {}, ThingsMakeBody: object({ address: ref("UserWrite/properties/address") }) },
  ],
  [
    "the document has the name already",
    both,
    { Asked: object({ id }), AskedWrite: text, AskedWriteSchema: text },
    { AskedWriteSchema2: {} },
  ],
])("splits a component into two only where that is needed: %s", (_, uses, schemas, writes) => {
  const document = used(uses, schemas);
  const named = schemasOf(judge("strange", document).service.document);
  const added = Object.keys(named).filter((name) => !(name in schemas));
  expect(added.filter((name) => name.includes("Write")).toSorted()).toEqual(
    Object.keys(writes)
      .filter((name) => name.includes("Write"))
      .toSorted(),
  );
  for (const [name, schema] of Object.entries(writes)) expect(named[name]).toMatchObject(schema);
});

it("keeps the parameter of a query whose schema is marked", async () => {
  const parameters = [{ name: "id", in: "query", required: true, schema: ref("Id") }];
  const responses = { 200: described({ "application/json": { schema: text } }) };
  const types = await typesOf(documentOf({ "things.find GET /": { parameters, responses } }, { Id: id }));
  expect(types).toContain("export interface ThingsFindQuery {\n  id: Id;\n}");
});

it("validates each direction by its own validator", async () => {
  const asked: Record<string, Schema> = {
    Plain: User,
    Marked: object({ id: { ...ref("Text"), readOnly: true }, name: text, secret: ref("Secret") }),
    Joined: { allOf: [ref("User"), { type: "object" }] },
    Above: { allOf: [object({ id, secret, name: text }, [])], required: ["id", "name", "secret"] },
    Either: { anyOf: [ref("User"), { type: "null" }] },
    Within: object({ users: { type: "array", items: ref("User") } }),
  };
  const uses = Object.fromEntries(
    Object.keys(asked).map((name) => [name.toLowerCase(), [ref(name), ref(name)] as const]),
  );
  const document = used(uses, { ...asked, User, Text: text, Secret: secret });
  const cache = join(import.meta.dirname, "../.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "directions-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "validators.js"),
    (await validatorsModule(judge("strange", document).service.document)).code,
  );
  const guards: Record<string, (value: unknown) => boolean> = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "validators.js")).href
  );
  const [sent, received] = [
    { name: "n", secret: "s" },
    { id: "i", name: "n" },
  ];
  const values: object[] = [sent, received, { ...sent, ...received }, { name: "n" }];
  for (const name of Object.keys(asked)) {
    const around = (value: object) => (name === "Within" ? { users: [value] } : value);
    const says = (guard: string) => values.map((value) => guards[guard]?.(around(value)));
    expect([name, says(`is${name}`)]).toEqual([name, [false, true, true, false]]);
    expect([name, says(`is${name}Write`)]).toEqual([name, [true, false, true, false]]);
  }
});

it("writes a client whose methods take the one type and return the other", { tags: ["long"] }, async () => {
  const folder = await written(used({ make: [ref("Team"), ref("Team")] }, { User, Team }));
  const program = `
import { createStrangeClient } from "./client.ts";
import { createStrangeHttp } from "./http.ts";
import type { Team, TeamWrite } from "./schema.ts";
const sent: TeamWrite = { user: { name: "n", secret: "s" } };
const client = createStrangeClient({ baseUrl: "http://127.0.0.1" });
const received: Team = await client.things.make(sent);
export const id: string = received.user.id;
const { data } = await createStrangeHttp({ baseUrl: "http://127.0.0.1" }).POST("/make", { body: sent });
export const same: string | undefined = data?.user.id;
// @ts-expect-error a request has no id
await client.things.make({ user: { id: "i", name: "n", secret: "s" } });
// @ts-expect-error an answer has no secret
export const none: unknown = received.user.secret;
`;
  expect(await compile(folder, program)).toEqual([]);
});
