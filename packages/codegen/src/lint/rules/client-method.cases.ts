import { documentOf, operation, operationOf, type Case, type Cases } from "../cases.ts";

const filed = (method: string): Case => ({
  document: { ...documentOf({}), paths: { "/things": { post: { $ref: "paths/things-create-one.yaml" } } } },
  files: { "paths/things-create-one.yaml": { "x-client-method": method, responses: {} } },
});

export const cases: Cases = {
  pass: {
    "methods of one group": {
      document: documentOf({
        "GET /things": { "x-client-method": "things.list" },
        "POST /things": { "x-client-method": "things.create" },
        "POST /things/": { "x-alias-of": "create_thing" },
      }),
    },
    "a group that begins like a method": {
      document: documentOf({
        "GET /things": { "x-client-method": "things.list" },
        "GET /more": { "x-client-method": "things.listed.all" },
      }),
    },
    "a file named after its method": filed("things.createOne"),
  },
  fail: {
    "an operation without a method": {
      document: operationOf({}),
      says: "POST /things has no `x-client-method`. Add the name of the client's method, such as `models.list`.",
      at: operation,
    },
    "two operations with the same method": {
      document: documentOf({
        "GET /things": { "x-client-method": "things.list" },
        "POST /things": { "x-client-method": "things.list" },
      }),
      says: "`things.list` is already the method of GET /things. Choose another name.",
      at: `${operation}/x-client-method`,
    },
    "a method that is also a group": {
      document: documentOf({
        "POST /things": { "x-client-method": "things.parts" },
        "GET /parts": { "x-client-method": "things.parts.list" },
      }),
      says: "`things.parts` cannot be a method, because `things.parts.list` makes it a group. Rename one of them.",
      at: `${operation}/x-client-method`,
    },
    ...Object.fromEntries(
      ["then", "constructor", "http", "__proto__", "prototype", "toString"].map((name) => [
        `a method named ${name}`,
        {
          document: operationOf({ "x-client-method": `things.${name}` }),
          says: `No part of a method may be named \`${name}\`, because JavaScript gives that name a special meaning. Choose another name.`,
          at: `${operation}/x-client-method`,
        },
      ]),
    ),
    "a group named then": {
      document: operationOf({ "x-client-method": "then.create" }),
      says: "No part of a method may be named `then`, because JavaScript gives that name a special meaning. Choose another name.",
      at: `${operation}/x-client-method`,
    },
    "a file with another name": {
      ...filed("things.create"),
      says: "An operation's file must be named after its method. Rename `things-create-one.yaml` to `things-create.yaml`.",
      at: "#/x-client-method",
      file: "paths/things-create-one.yaml",
    },
  },
};
