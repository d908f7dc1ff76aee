import { contentOf, operation, operationOf, type Cases } from "../cases.ts";
import type { Node } from "../node.ts";

const thing = { type: "object", properties: { id: { type: "string" } } };
const page = {
  type: "object",
  properties: { data: { type: "array", items: thing }, has_more: { type: "boolean" } },
  required: ["data", "has_more"],
};
const after = { name: "after", in: "query", schema: { type: "string" } };
const pages = { cursor: "after", item: "id", more: "has_more" };

const listing = (schema: Node, more: Node = {}): Node =>
  operationOf({ "x-pagination": pages, parameters: [after], responses: { "200": contentOf({ schema }) }, ...more });
const withItems = (items: Node): Node => ({
  ...page,
  properties: { ...page.properties, data: { type: "array", items } },
});

export const cases: Cases = {
  pass: {
    "a page": { document: listing(page) },
    "a page of a union whose branches all have the item": {
      document: listing(withItems({ oneOf: [thing, { allOf: [{ type: "object" }, thing] }] })),
    },
    "an operation without pages": { document: operationOf({}) },
  },
  fail: {
    "a cursor that is no query parameter": {
      document: listing(page, { parameters: [{ ...after, in: "header" }] }),
      says: "The operation has no query parameter `after`. Declare it, or name the one that takes the cursor.",
      at: `${operation}/x-pagination/cursor`,
    },
    "an answer that is no JSON": {
      document: listing(page, { responses: { "200": contentOf({ schema: page }, "text/csv") } }),
      says: "A page is a JSON answer of status 200. Declare it, or remove `x-pagination`.",
      at: `${operation}/x-pagination`,
    },
    "a flag that may be missing": {
      document: listing({ ...page, required: ["data"] }),
      says: "The answer has no required boolean `has_more`. Declare it, or name the property that says whether more follows.",
      at: `${operation}/x-pagination/more`,
    },
    "a flag that is a number": {
      document: listing({ ...page, properties: { ...page.properties, has_more: { type: "integer" } } }),
      says: "The answer has no required boolean `has_more`. Declare it, or name the property that says whether more follows.",
      at: `${operation}/x-pagination/more`,
    },
    "items that are no array": {
      document: listing({ ...page, properties: { ...page.properties, data: thing } }),
      says: "A page holds its items in `data`, a required array. Declare it, or remove `x-pagination`.",
      at: `${operation}/x-pagination`,
    },
    "a branch without the item": {
      document: listing(withItems({ oneOf: [thing, { type: "object" }] })),
      says: "Some items of `data` lack `id`. Name the property that the cursor takes.",
      at: `${operation}/x-pagination/item`,
    },
  },
};
