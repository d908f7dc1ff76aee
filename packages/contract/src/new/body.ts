import { type Json, objectsIn } from "@trainyard/document";
import { Failure } from "../failure.ts";
import { text } from "../json.ts";
import { isObject, memberAt } from "@trainyard/core/validation";
import { spaced } from "./naming.ts";
import { type Plan, operationsOf } from "./plan.ts";
import { sample } from "./sample.ts";
import { planSchema, schemaFile } from "./schema.ts";
import { toYaml } from "./yaml.ts";

interface Owner {
  readonly service: string;
  readonly basis: string;
  /** The file of its example, without ending. */
  readonly file: string;
}

/** The body of a request or a response of an operation. */
export interface Body {
  /** The file of its schema. */
  readonly schema: string;
  /** Its examples as YAML. */
  readonly examples: string;
  /** The value of its first example. */
  readonly value: Json;
  /** Its first required property, for the example of an invalid request. */
  readonly first: string;
}

/** A body with its schema and an example: an existing example of the schema, or a new one. */
export function planBody(plan: Plan, name: string, owner: Owner, value?: Json): Body {
  const { service, file } = owner;
  const target = planTarget(plan, name, owner);
  const paths = plan.follow(`openapi/${service}/paths`);
  const { schema, follow } = paths(target);
  const media = operationsOf(plan, service).flatMap(({ operation }) => objectsIn(operation).map(({ node }) => node));
  let examples = media.find(({ schema, examples }) => examples && memberAt(schema, ["$ref"]) === target)?.["examples"];
  if (examples === undefined) {
    examples = { plain: { $ref: `../examples/${file}.yaml` } };
    const example = { summary: "The plainest case", value: value ?? sample(schema, follow, name) };
    plan.create(`openapi/${service}/examples/${file}.yaml`, toYaml(example));
  }
  const [plainest] = isObject(examples) ? Object.values(examples) : [];
  const reference = memberAt(plainest, ["$ref"]);
  const { required } = schema;
  return {
    schema: target,
    examples: toYaml(examples).trimEnd(),
    value: typeof reference === "string" ? (paths(reference).schema["value"] ?? {}) : {},
    first: Array.isArray(required) ? text(required[0]) : "",
  };
}

/** The file of a schema, which is planned if it does not exist. */
function planTarget(plan: Plan, name: string, { service, basis }: Owner): string {
  if (schemaFile(plan, service, name) === undefined) planSchema(plan, { service, name, basis, properties: [] });
  return schemaFile(plan, service, name) ?? "";
}

/** A response that is a page of items, with its schema, the schema of an item, and an example. */
export function planPage(plan: Plan, item: string, owner: Owner): Body {
  const { service, basis } = owner;
  const target = planTarget(plan, item, owner);
  const { schema, follow } = plan.follow(`openapi/${service}/paths`)(target);
  const value = sample(schema, follow, item);
  const id = memberAt(value, ["id"]);
  if (typeof id !== "string")
    throw new Failure(
      `${item} has no \`id\` to use as the cursor of the next page. Add a required string \`id\` to its schema.`,
    );
  const name = `${item}Page`;
  if (schemaFile(plan, service, name) === undefined)
    plan.fill("page", { service, name, noun: spaced(item), target: target.replace("../schemas/", ""), basis });
  return planBody(plan, name, owner, { object: "list", data: [value], first_id: id, last_id: id, has_more: false });
}
