import { Failure } from "../failure.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { type Body, ensureSchema, planBody } from "./body.ts";
import { sample } from "./sample.ts";
import type { Source } from "./source.ts";
import { fit, schemaName, spaced } from "./naming.ts";
import { toYaml } from "./yaml.ts";

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
    const file = source.file(`schemas/${name}.yaml`);
    source.plan.create(file, toYaml(pageSchema(item, target.replace(/^\.\.\/schemas\//, ""), basis)));
  }
  const page: Json = { object: "list", data: [value], first_id: id, last_id: id, has_more: false };
  return planBody(source, name, basis, example, { summary: "The only page", value: page });
}

function pageSchema(item: string, target: string, basis: string): JsonObject {
  const text = { type: "string" };
  return {
    type: "object",
    description: `A page of items, each a ${spaced(item)}.`,
    "x-basis": basis,
    required: ["data", "has_more"],
    properties: {
      object: { ...text, const: "list", description: "The kind of object." },
      data: { type: "array", description: "The items, in the order of the list.", items: { $ref: target } },
      first_id: { ...text, description: "The id of the first item of the page; empty when the page is.", default: "" },
      last_id: {
        ...text,
        description: "The id of the last item of the page, for `after`; empty when the page is.",
        default: "",
      },
      has_more: { type: "boolean", description: "Whether more items follow." },
    },
  };
}
