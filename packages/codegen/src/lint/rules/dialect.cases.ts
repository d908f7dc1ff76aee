import { operationOf, type Cases } from "../cases.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";
const says = `A document must name the dialect of its schemas. Add \`jsonSchemaDialect: ${dialect}\`.`;

export const cases: Cases = {
  pass: { "dialect 2020-12": { document: operationOf({}, { jsonSchemaDialect: dialect }) } },
  fail: {
    "no dialect": { document: operationOf({}), says, at: "#/jsonSchemaDialect" },
    "another dialect": {
      document: operationOf({}, { jsonSchemaDialect: "http://json-schema.org/draft-07/schema#" }),
      says,
      at: "#/jsonSchemaDialect",
    },
  },
};
