import {
  array,
  assert,
  constantFrom,
  option,
  property,
  record,
  shuffledSubarray,
  string,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveOptionNames, deriveSchemaNames } from "./derive.ts";
import { countFacts, derivedFacts, derivedOptions, explainFacts } from "./derived-facts.ts";
import { forbiddenMethodParts, methodPart } from "./names.ts";
import { readDocument } from "./read-document.ts";

/** A document of operations: `{ "GET /users": { operationId } }`. */
function documentOf(operations: Readonly<Record<string, object>>): object {
  const paths: Record<string, object> = {};
  for (const [line, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = line.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return { openapi: "3.1.0", "x-trainyard": 1, info: { title: "Stranger", version: "1" }, paths };
}

/** The names by method and path. */
function namesOf(operations: Readonly<Record<string, object>>): Record<string, string> {
  const read = readDocument(documentOf(operations)).operations;
  return Object.fromEntries(read.map(({ method, path, name }) => [`${method} ${path}`, name]));
}

describe("the name of a method", () => {
  const nameOf = (line: string, operation: object) => namesOf({ [line]: operation })[line];

  it.each([
    ["GET /a", { operationId: "repos/get-content" }, "repos.getContent"],
    ["GET /a", { operationId: "youtube.videos.list", tags: ["videos"] }, "youtube.videos.list"],
    ["GET /items/{item_id}", { operationId: "read_item_items__item_id__get" }, "items.readItem"],
    ["GET /items/{item_id}", { operationId: "readItemItemsItemIdGet" }, "items.readItem"],
    ["GET /items/{item_id}", { operationId: "read_item_items__item_id__get", tags: ["Shop"] }, "shop.readItem"],
    ["GET /api/v1/users/me", { operationId: "read_me_api_v1_users_me_get" }, "users.readMe"],
    ["GET /health", { operationId: "health_health_get" }, "health"],
    ["GET /", { operationId: "read_root__get" }, "readRoot"],
    ["GET /a", { operationId: "UsersController_findAll", tags: ["admin"] }, "users.findAll"],
    ["GET /a", { operationId: "usersControllerFindAll" }, "users.findAll"],
    ["GET /a", { operationId: "UserController.findById" }, "user.findById"],
    ["GET /a", { operationId: "findAll", tags: ["pet-controller"] }, "pet.findAll"],
    ["POST /a", { operationId: "createEmbedding", tags: ["Embeddings"] }, "embeddings.create"],
    ["POST /a", { operationId: "embeddings.createEmbedding" }, "embeddings.create"],
    ["POST /a", { operationId: "createVectorStoreFile", tags: ["Vector stores"] }, "vectorStores.createFile"],
    ["GET /a", { operationId: "getAllCompanies", tags: ["company"] }, "company.getAll"],
    ["GET /a", { operationId: "users_list", tags: ["users"] }, "users.list"],
    ["GET /a", { operationId: "ipam_l2vpns_list", tags: ["ipam"] }, "ipam.l2vpnsList"],
    ["GET /a", { operationId: "list-blocked-by-user", tags: ["users"] }, "users.listBlockedByUser"],
    ["POST /a", { operationId: "uploadFile", tags: ["uploads"] }, "uploads.uploadFile"],
    ["GET /a", { operationId: "usersThen", tags: ["users"] }, "users.usersThen"],
    [
      "POST /2010-04-01/{Sid}/Messages.json",
      { operationId: "CreateMessage", tags: ["Api20100401Message"] },
      "messages.create",
    ],
    ["GET /a", { operationId: "list", tags: ["2024-01-31 Orders"] }, "orders.list"],
    ["GET /a", { operationId: "list_users", tags: ["User Admin"] }, "userAdmin.listUsers"],
    ["GET /a", { operationId: "ListUsers", tags: ["API Keys", "other"] }, "apiKeys.listUsers"],
    ["GET /a", { operationId: "LIST_USERS" }, "listUsers"],
    ["GET /a", { operationId: "get-DNSRecords", tags: ["Zones"] }, "zones.getDNSRecords"],
    ["GET /users/{id}/keys", {}, "users.getByIdKeys"],
    ["GET /users/{id}/keys", { tags: ["Users"] }, "users.getByIdKeys"],
    ["GET /users/{id}/keys", { tags: ["Admin"] }, "admin.getUsersByIdKeys"],
    ["POST /users", {}, "users.post"],
    ["GET /b/{id}.json", {}, "b.getByIdJson"],
    ["GET /{owner}/{repo_name}", {}, "getByOwnerByRepoName"],
    ["GET /", {}, "get"],
    ["GET /", { operationId: "用户", tags: ["用户"] }, "get"],
    ["GET /régions", {}, "regions.get"],
    ["GET /a", { operationId: "then" }, "getThen"],
    ["POST /a", { operationId: "constructor", tags: ["things"] }, "things.postConstructor"],
    ["GET /a", { operationId: "http" }, "getHttp"],
    ["GET /a", { operationId: "__proto__", tags: ["things"] }, "things.getProto"],
    ["GET /a", { operationId: "things/toString" }, "things.getToString"],
    ["GET /a", { operationId: "http/list" }, "getHttp.list"],
    ["PUT /2fa/enable", {}, "put2fa.putEnable"],
  ])("of %s, %j is %s", (line, operation, expected) => {
    expect(nameOf(line, operation)).toBe(expected);
  });

  it("is that of the document, if it has one", () => {
    expect(nameOf("GET /a", { operationId: "x", "x-client-method": "models.list" })).toBe("models.list");
  });

  it("is as long as its operationId, if a shorter one would be that of another operation or a group", () => {
    const tags = ["users"];
    expect(
      namesOf({
        "GET /a": { operationId: "listUsers", tags },
        "GET /b": { operationId: "list", tags },
        "GET /c": { operationId: "getUser", tags },
        "GET /d": { operationId: "get_users", tags },
        "GET /e": { operationId: "users.addUser" },
        "GET /f": { operationId: "users.add.all" },
      }),
    ).toEqual({
      "GET /a": "users.listUsers",
      "GET /b": "users.list",
      "GET /c": "users.getUser",
      "GET /d": "users.getUsers",
      "GET /e": "users.addUser",
      "GET /f": "users.add.all",
    });
  });

  it("is made of the path for both of two operations with one operationId", () => {
    const tags = ["Users"];
    expect(
      namesOf({
        "GET /users": { operationId: "list", tags },
        "GET /admins": { operationId: "list", tags },
        "GET /guests": { operationId: "list-guests", tags },
      }),
    ).toEqual({ "GET /users": "users.get", "GET /admins": "users.getAdmins", "GET /guests": "users.listGuests" });
  });

  it("gives way to a declared one, and to one that is made of a path", () => {
    expect(
      namesOf({
        "GET /users": { operationId: "list", tags: ["users"] },
        "GET /all": { "x-client-method": "users.list" },
        "GET /users/{id}": {},
        "POST /users": { operationId: "getById", tags: ["users"] },
      }),
    ).toEqual({
      "GET /users": "users.get",
      "GET /all": "users.list",
      "GET /users/{id}": "users.getById",
      "POST /users": "users.post",
    });
  });

  it("has a number, if the paths make one name, too", () => {
    const operations = { "GET /a/b/": {}, "GET /a/b": {}, "GET /a/{b}": {}, "GET /a/by-b": {} };
    expect(namesOf(operations)).toEqual({
      "GET /a/b": "a.getB",
      "GET /a/b/": "a.getB2",
      "GET /a/by-b": "a.getByB",
      "GET /a/{b}": "a.getByB2",
    });
  });

  it("has the verb in front, if it is also a group", () => {
    expect(namesOf({ "GET /a": { operationId: "users/keys" }, "GET /b": { operationId: "users/keys/list" } })).toEqual({
      "GET /a": "users.getKeys",
      "GET /b": "users.keys.list",
    });
  });
});

describe("all names of a document", () => {
  const words = constantFrom(
    "users",
    "Users",
    "list",
    "get",
    "by-id",
    "byId",
    "user",
    "UsersController",
    "list_users_get",
    "then",
    "2fa",
    "__proto__",
    "API",
    "用户",
  );
  const segment = constantFrom("users", "list", "get", "by-id", "{id}", "{user-id}", "{id}.json", "2", "then", "");
  const joined = array(words, { maxLength: 3 }).chain((all) =>
    constantFrom(".", "/", "_", "").map((by) => all.join(by)),
  );
  const operation = record({
    line: record({
      method: constantFrom("GET", "POST", "DELETE"),
      path: array(segment, { maxLength: 4 }).map((all) => `/${all.join("/")}`),
    }).map(({ method, path }) => `${method} ${path}`),
    operationId: option(
      constantFrom("", "list").chain((start) => joined.map((end) => start + end)),
      { nil: undefined },
    ),
    tags: option(array(constantFrom("Users", "users list", "http", "用户"), { maxLength: 2 }), { nil: undefined }),
    "x-client-method": option(constantFrom("users.list", "list.get"), { nil: undefined, freq: 9 }),
  });
  const operations = uniqueArray(operation, { selector: ({ line }) => line, minLength: 2, maxLength: 12 }).chain(
    (all) => shuffledSubarray(all, { minLength: all.length }).map((shuffled) => ({ all, shuffled })),
  );
  const derivedOf = (all: readonly { readonly line: string }[]) =>
    derivedFacts(readDocument(documentOf(Object.fromEntries(all.map(({ line, ...rest }) => [line, rest])))))
      .map(({ name, method, path, reasons }) => ({ name, line: `${method} ${path}`, reasons }))
      .toSorted((a, b) => (a.line < b.line ? -1 : 1));

  it("are of their own, can be called, and do not depend on the order", () => {
    assert(
      property(operations, ({ all, shuffled }) => {
        const facts = derivedOf(all);
        expect(derivedOf(shuffled)).toEqual(facts);
        const declared = new Set(all.filter((one) => one["x-client-method"] !== undefined).map(({ line }) => line));
        const names = facts.filter(({ line }) => !declared.has(line)).map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) {
          for (const part of name.split(".")) {
            expect(part).toMatch(methodPart);
            expect(forbiddenMethodParts).not.toContain(part);
          }
          expect(facts.filter((other) => other.name.startsWith(`${name}.`))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("stay as they are, whatever a document is made of", () => {
    assert(
      property(string(), string(), string(), (operationId, tag, path) => {
        const [fact] = derivedFacts(readDocument({ paths: { [`/${path}`]: { get: { operationId, tags: [tag] } } } }));
        for (const part of fact?.name.split(".") ?? []) expect(part).toMatch(methodPart);
      }),
    );
  });
});

it("derives whether a request may be sent again by RFC 9110", () => {
  const key = { parameters: [{ in: "header", name: "idempotency-key" }] };
  const lines = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH"].map((method) => `${method} /a`);
  const resends = (operation: object) =>
    readDocument(documentOf(Object.fromEntries(lines.map((line) => [line, operation]))))
      .operations.toSorted((a, b) => lines.indexOf(`${a.method} /a`) - lines.indexOf(`${b.method} /a`))
      .map(({ resend }) => resend);
  expect(resends({})).toEqual(["always", "always", "always", "always", "always", "never", "never"]);
  expect(resends(key).slice(5)).toEqual(["with-key", "with-key"]);
  expect(resends({ "x-resend": "never" })).toEqual(lines.map(() => "never"));
});

it("explains each operation in one line", () => {
  const document = documentOf({
    "GET /users": { operationId: "list_users", tags: ["Users"] },
    "GET /users/{id}/keys": { tags: ["Users"] },
    "POST /users": { "x-client-method": "users.create", "x-resend": "never" },
    "PUT /a": { operationId: "same", tags: ["line\nbreak"] },
    "PUT /b": { operationId: "same", "x-resend": "never", tags: ["line\nbreak"] },
    "PATCH /then": { operationId: "then" },
  });
  expect(explainFacts(derivedFacts(readDocument(document)))).toEqual([
    "users.list        GET /users            method from operationId list_users and tag Users, without what they say twice; resend always (GET)",
    "users.getByIdKeys GET /users/{id}/keys  method from tag and path (no operationId); resend always (GET)",
    "lineBreak.putA    PUT /a                method from tag and path (PUT /a and PUT /b would both be lineBreak.same); resend always (PUT)",
    "lineBreak.putB    PUT /b                method from tag and path (PUT /a and PUT /b would both be lineBreak.same)",
    "patchThen         PATCH /then           method from operationId then, verb in front because then cannot be a name; resend never (PATCH)",
  ]);
});

it("counts what was derived", () => {
  const facts = derivedFacts(
    readDocument(documentOf({ "GET /users": {}, "POST /users": {}, "PUT /a": { "x-client-method": "a.put" } })),
  );
  const root = {
    ...documentOf({ "GET /users": {} }),
    security: [{ api_key: [] }, { apiKey: [] }],
    components: { securitySchemes: { api_key: { type: "http", scheme: "bearer" }, apiKey: {} } },
  };
  const options = derivedOptions(readDocument(root));
  expect(options).toEqual([
    {
      name: "apiKey2",
      place: "#/components/securitySchemes/api_key",
      reasons: ["option from security scheme api_key"],
    },
  ]);
  const type = { name: "RecordSchema", place: "", reasons: ["type of Record"] };
  expect([[], facts.slice(0, 1), facts, [...facts, ...options, type]].map(countFacts)).toEqual([
    "Nothing was derived.",
    "1 method was derived.",
    "2 methods and 1 value of x-resend were derived.",
    "2 methods, 1 value of x-resend, 1 option of a security scheme and 1 name of a type were derived.",
  ]);
});

it("names the types of schemas whose names are no identifiers or reserved, in any order", () => {
  const reserved = new Map([
    ["Record", "is reserved"],
    ["RecordSchema", "is reserved"],
  ]);
  const components = [
    "Record",
    "api-error",
    "api_error",
    "ApiErrorSchema",
    "api.error",
    "user",
    "2D",
    "用户",
    "__proto__",
  ];
  const names = deriveSchemaNames(components, reserved);
  expect(deriveSchemaNames(components.toReversed(), reserved)).toEqual(names);
  expect(Object.fromEntries([...names].map(([component, { name, reason }]) => [component, [name, reason]]))).toEqual({
    Record: ["RecordSchema2", "is reserved"],
    "api-error": ["ApiErrorSchema2", "is no identifier"],
    "api.error": ["ApiErrorSchema3", "is no identifier"],
    "2D": ["Schema2D", "is no identifier"],
    用户: ["Schema", "is no identifier"],
  });
});

it("names the options of security schemes in camel case, in any order", () => {
  const components = [
    "api_key",
    "apiKey",
    "Session-Key",
    "X-Api-Key",
    "headers",
    "2fa",
    "constructor",
    "用户",
    "OAuth2",
  ];
  const names = deriveOptionNames(components);
  expect(deriveOptionNames(components.toReversed())).toEqual(names);
  expect(Object.fromEntries(names)).toEqual({
    apiKey: "apiKey",
    api_key: "apiKey2",
    "Session-Key": "sessionKey",
    "X-Api-Key": "xApiKey",
    headers: "headersKey",
    "2fa": "key2fa",
    constructor: "constructorKey",
    用户: "key",
    OAuth2: "oAuth2",
  });
});
