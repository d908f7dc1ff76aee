import type { JsonObject } from "@trainyard/core/validation";
import { contentOf, operation, operationOf, type Cases } from "../cases.ts";

const thing = { type: "object", properties: { id: { type: "string" } } };
const page = {
  type: "object",
  properties: { data: { type: "array", items: thing }, has_more: { type: "boolean" } },
  required: ["data", "has_more"],
};
const after = { name: "after", in: "query", schema: { type: "string" } };
const pages = { cursor: "after", item: "id", more: "has_more" };

const listing = (schema: JsonObject, more: JsonObject = {}): JsonObject =>
  operationOf({ "x-pagination": pages, parameters: [after], responses: { "200": contentOf({ schema }) }, ...more });
const withItems = (items: JsonObject): JsonObject => ({
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
    "a cursor that is not a query parameter": {
      document: listing(page, { parameters: [{ ...after, in: "header" }] }),
      says: "The operation has no query parameter `after`. Declare it, or name the parameter for the cursor.",
      at: `${operation}/x-pagination/cursor`,
    },
    "a response that is not JSON": {
      document: listing(page, { responses: { "200": contentOf({ schema: page }, "text/csv") } }),
      says: "A page must be a JSON response with status 200. Declare it, or remove `x-pagination`.",
      at: `${operation}/x-pagination`,
    },
    "a page without a schema": {
      document: listing(page, { responses: { "200": contentOf({}) } }),
      says: "The page has no schema. Declare it below `application/json`: `schema: { $ref: ../schemas/… }`.",
      at: `${operation}/x-pagination`,
    },
    "a flag that is optional": {
      document: listing({ ...page, required: ["data"] }),
      says: "The response has no required boolean `has_more`. Declare it, or name the property that says whether there are more pages.",
      at: `${operation}/x-pagination/more`,
    },
    "a flag that is a number": {
      document: listing({ ...page, properties: { ...page.properties, has_more: { type: "integer" } } }),
      says: "The response has no required boolean `has_more`. Declare it, or name the property that says whether there are more pages.",
      at: `${operation}/x-pagination/more`,
    },
    "items that are not an array": {
      document: listing({ ...page, properties: { ...page.properties, data: thing } }),
      says: "The response has no required array `data` for its items. Declare it, or remove `x-pagination`.",
      at: `${operation}/x-pagination`,
    },
    "a branch without the item": {
      document: listing(withItems({ oneOf: [thing, { type: "object" }] })),
      says: "Some items of `data` have no `id`. Name the property that is the cursor.",
      at: `${operation}/x-pagination/item`,
    },
  },
};
