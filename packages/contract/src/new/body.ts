import { type Json, type JsonObject, isObject, text } from "../json.ts";
import { sample } from "./sample.ts";
import { planSchema } from "./schema.ts";
import type { Source } from "./source.ts";
import { fit, schemaName } from "./words.ts";
import { toYaml } from "./yaml.ts";

/** What is sent or answered, as an operation has it. */
export interface Body {
  readonly content: JsonObject;
  /** Its first required property, for an example of a fault. */
  readonly first?: string;
  /** What its first example shows. */
  readonly value: Json;
}

/** A body with its schema and an example: one that shows this schema already, or a new one. */
export function planBody(source: Source, name: string, basis: string, example: string): Body {
  fit("name of a schema", name, schemaName, "it in capitals, such as HardwareOption");
  if (source.schema(name) === undefined)
    planSchema(source.plan, { service: source.service, name, basis, properties: [] });
  const target = source.schema(name) ?? "";
  const { schema, follow } = source.follow("paths")(target);
  const { required } = schema;
  const first = Array.isArray(required) ? required[0] : undefined;
  let shown: Json | undefined = shownExamples(source, target);
  if (shown === undefined) {
    const value = sample(schema, follow, name);
    source.plan.create(source.file(`examples/${example}.yaml`), toYaml({ summary: "The plainest case", value }));
    shown = { plain: { $ref: `../examples/${example}.yaml` } };
  }
  const [plainest] = isObject(shown) ? Object.values(shown) : [];
  const file = isObject(plainest) ? text(plainest["$ref"]) : "";
  const value = file === "" ? {} : (source.follow("paths")(file).schema["value"] ?? {});
  const content = { "application/json": { schema: { $ref: target }, examples: shown } };
  return { content, value, ...(typeof first === "string" ? { first } : {}) };
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
