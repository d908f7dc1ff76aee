import { expect, it } from "vitest";
import type { OpenApiDocument, PathItem } from "@trainyard/document/files";
import { groupsOf, methodTree } from "./method-tree.ts";
import { operationsTable } from "./operations-table.ts";

function treeOf(...names: string[]): ReturnType<typeof methodTree> {
  const content = { "application/json": { schema: {} } };
  const paths = names.map((name, index): [string, PathItem] => [
    `/${index}`,
    {
      get: {
        operationId: String(index),
        "x-client-method": name,
        "x-resend": "always",
        responses: { "200": { content } },
      },
    },
  ]);
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "", version: "1" },
    paths: Object.fromEntries(paths),
  };
  return methodTree(operationsTable(document).operations);
}

it("groups methods, children before their parents", () => {
  const { root, faults } = treeOf("models.create", "models.checkpoints.list", "health.check");
  expect(faults).toEqual([]);
  expect(groupsOf(root).map(({ name, typeName }) => `${name} ${typeName}`)).toEqual([
    "models.checkpoints ModelsCheckpointsMethods",
    "models ModelsMethods",
    "health HealthMethods",
  ]);
  expect([...(root.groups.get("models")?.methods.keys() ?? [])]).toEqual(["create"]);
});

it.each<[string[], RegExp]>([
  [
    ["models.checkpoints", "models.checkpoints.list"],
    /models\.checkpoints\.list is in models\.checkpoints, which is itself a method/,
  ],
  [["models.checkpoints.list", "models.checkpoints"], /models\.checkpoints is also a group/],
  [["models.list", "models.list"], /Two operations have the method models\.list: GET \/0 and GET \/1/],
  [["models.then"], /"then" cannot be a part/],
  [["models.constructor"], /"constructor" cannot be a part/],
  [["http.get"], /"http" cannot be a part/],
  [["__proto__.get"], /"__proto__" cannot be a part/],
  [["Models.get"], /"Models" cannot be a part/],
  [["models.get-all"], /"get-all" cannot be a part/],
  [["models..get"], /"" cannot be a part/],
])("rejects %j", (names, message) => {
  const { faults } = treeOf(...names);
  expect(faults.map((fault) => fault.message)).toEqual([expect.stringMatching(message)]);
});
