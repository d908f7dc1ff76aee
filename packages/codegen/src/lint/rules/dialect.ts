import { nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";

const expected = "https://json-schema.org/draft/2020-12/schema";

/** Each document names the dialect of its schemas: without it the mock validates them as draft 07. */
export const dialect: Rule = () => ({
  Root(root, context) {
    if (nodeOf(root)["jsonSchemaDialect"] === expected) return;
    const message = `A document must name the dialect of its schemas. Add \`jsonSchemaDialect: ${expected}\`.`;
    context.report({ message, location: context.location.child("jsonSchemaDialect") });
  },
});
