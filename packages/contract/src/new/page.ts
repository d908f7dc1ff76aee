import { Failure } from "../failure.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { type Body, ensureSchema, planBody } from "./body.ts";
import { sample } from "./sample.ts";
import type { Source } from "./source.ts";
import { fit, schemaName, spaced } from "./naming.ts";
import { planTemplate } from "./template.ts";

/** How clients page through an operation, for its `x-` key. */
export const pagination: JsonObject = { cursor: "after", item: "id", more: "has_more" };

export const pageParameters: readonly JsonObject[] = [
  { $ref: "../../common/parameters/After.yaml" },
  { $ref: "../../common/parameters/Limit.yaml" },
];

/** A response that is a page of items, with its schema, the schema of an item, and an example. */
export function planPage(source: Source, item: string, basis: string, example: string): Body {
  fit("name of a schema", item, schemaName, "it in capitals, such as HardwareOption");
  const target = ensureSchema(source, item, basis);
  const { schema, follow } = source.follow("paths")(target);
  const value = sample(schema, follow, item);
  const id = isObject(value) ? value["id"] : undefined;
  if (typeof id !== "string") {
    throw new Failure(
      `${item} has no \`id\` to use as the cursor of the next page. Add a required string \`id\` to its schema.`,
    );
  }
  const name = `${item}Page`;
  if (source.schema(name) === undefined) {
    planTemplate(source.plan, "page", {
      file: source.file(`schemas/${name}.yaml`),
      noun: spaced(item),
      target: target.replace(/^\.\.\/schemas\//, ""),
      basis,
    });
  }
  const page: Json = { object: "list", data: [value], first_id: id, last_id: id, has_more: false };
  return planBody(source, name, basis, example, { summary: "The only page", value: page });
}
