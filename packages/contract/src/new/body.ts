import { type Json, type JsonObject, isObject, text } from "../json.ts";
import { sample } from "./sample.ts";
import { planSchema } from "./schema.ts";
import type { Source } from "./source.ts";
import { fit, schemaName } from "./naming.ts";
import { toYaml } from "./yaml.ts";

/** The body of a request or a response of an operation. */
export interface Body {
  readonly content: JsonObject;
  /** Its first required property, for the example of an invalid request. */
  readonly first?: string;
  /** The value of its first example. */
  readonly value: Json;
}

/** An example of a body, with a summary. */
export interface Example {
  readonly summary: string;
  readonly value: Json;
}

/** A body with its schema and an example: an existing example of the schema, or a new one. */
export function planBody(source: Source, name: string, basis: string, file: string, example?: Example): Body {
  fit("name of a schema", name, schemaName, "it in capitals, such as HardwareOption");
  const target = ensureSchema(source, name, basis);
  const { schema, follow } = source.follow("paths")(target);
  const { required } = schema;
  const first = Array.isArray(required) ? required[0] : undefined;
  let shown: Json | undefined = shownExamples(source, target);
  if (shown === undefined) {
    const { summary, value } = example ?? { summary: "The plainest case", value: sample(schema, follow, name) };
    source.plan.create(source.file(`examples/${file}.yaml`), toYaml({ summary, value }));
    shown = { plain: { $ref: `../examples/${file}.yaml` } };
  }
  const [plainest] = isObject(shown) ? Object.values(shown) : [];
  const ref = isObject(plainest) ? text(plainest["$ref"]) : "";
  const value = ref === "" ? {} : (source.follow("paths")(ref).schema["value"] ?? {});
  const content = { "application/json": { schema: { $ref: target }, examples: shown } };
  return { content, value, ...(typeof first === "string" ? { first } : {}) };
}

/** The file of a schema. It is planned if it does not exist. */
export function ensureSchema(source: Source, name: string, basis: string): string {
  const { plan, service } = source;
  if (source.schema(name) === undefined) planSchema(plan, { service, name, basis, properties: [] });
  return source.schema(name) ?? "";
}

function shownExamples(source: Source, target: string): Json | undefined {
  for (const { operation } of source.operations()) {
    const found = findMedia(operation, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findMedia(value: Json, target: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (
    isObject(value) &&
    isObject(value["schema"]) &&
    value["schema"]["$ref"] === target &&
    value["examples"] !== undefined
  ) {
    return value["examples"];
  }
  for (const below of Object.values(value)) {
    const found = findMedia(below, target);
    if (found !== undefined) return found;
  }
  return undefined;
}
