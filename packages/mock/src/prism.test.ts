import { cases, examplesOf, statusesOf } from "@trainyard/testing/services";
import { exampleOf } from "@trainyard/host";
import { expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { library } from "../test/library.ts";
import { mockService } from "./index.ts";
import { createPrism } from "./prism.ts";

it("generates a response if the document has no example", async () => {
  const { status, body } = await caller(mockService(library).connect())("GET /books/new");
  expect(status).toBe(200);
  expect(Object.keys(Object(body)).toSorted()).toEqual(["id", "pages", "title"]);
});

it("returns the same first responses as the mock", { tags: ["long"] }, async () => {
  const documents = [...new Set(cases.map(({ document }) => document))];
  for (const document of documents) {
    const prism = createPrism(document);
    for (const { operation } of cases.filter((entry) => entry.document === document)) {
      for (const status of statusesOf(operation)) {
        for (const mediaType of examplesOf(operation, status).keys()) {
          const expected = await prism(operation, status, mediaType);
          expect(await exampleOf(operation, { status, mediaType })).toMatchObject({ status, body: expected });
        }
      }
    }
  }
});
