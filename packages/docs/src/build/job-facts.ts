import { memberAt } from "@trainyard/core/validation";
import { code, phrase } from "../reference/prose.ts";
import type { Service } from "../reference/services.ts";

/** The states and the kinds of events of a training job, as the schemas list them. */
export function jobFactsOf(services: readonly Service[]): { states: string[]; events: string[] } {
  const states = memberAt(schemaOf(services, "TrainingJob"), ["properties", "status", "enum"]);
  return { states: [states ?? []].flat().map(String), events: eventSchemas(services).map(({ type }) => type) };
}

/** Each kind of event with its meaning and its data as HTML, in the order of the document. */
export function eventFactsOf(services: readonly Service[]) {
  return eventSchemas(services).map(({ type, schema }) => {
    const data = memberAt(schema, ["properties", "data"]);
    const all = Object.entries(Object(memberAt(data, ["properties"])));
    const fields = all.map(([name, field]) => `${code(name)}: ${descriptionOf(field)}`);
    const text = fields.length > 0 ? fields.join(" ") : descriptionOf(data);
    return { type, means: phrase(descriptionOf(schema)).text, data: phrase(text).text };
  });
}

function eventSchemas(services: readonly Service[]): { type: string; schema: object }[] {
  const mapping = memberAt(schemaOf(services, "TrainingJobEvent"), ["discriminator", "mapping"]);
  return Object.entries(Object(mapping)).map(([type, target]) => {
    const name = String(target).split("/").at(-1) ?? "";
    return { type, schema: schemaOf(services, name) };
  });
}

function schemaOf(services: readonly Service[], name: string): object {
  const schema = services.find((service) => service.name === "training")?.document.schemas.get(name);
  if (schema === undefined) throw new Error(`The training service has no schema ${name}.`);
  return schema.node;
}

function descriptionOf(schema: unknown): string {
  const text = memberAt(schema, ["description"]);
  // The document reader adds rules as separate paragraphs; a table cell has one.
  return typeof text === "string" ? text.replaceAll(/\s+/g, " ") : "";
}
