import { memberAt } from "@trainyard/core/validation";
import { code, phrase } from "../reference/prose.ts";
import type { Service } from "../reference/services.ts";

/** Each kind of event with its meaning and its data as HTML, in the order of the document. */
export function eventFactsOf(services: readonly Service[]) {
  const mapping = memberAt(schemaOf(services, "TrainingJobEvent"), ["discriminator", "mapping"]);
  return Object.entries(Object(mapping)).map(([type, target]) => {
    const schema = schemaOf(services, String(target).split("/").at(-1) ?? "");
    const data = memberAt(schema, ["properties", "data"]);
    const all = Object.entries(Object(memberAt(data, ["properties"])));
    const fields = all.map(([name, field]) => `${code(name)}: ${descriptionOf(field)}`);
    const text = fields.length > 0 ? fields.join(" ") : descriptionOf(data);
    return { type, means: phrase(descriptionOf(schema)).text, data: phrase(text).text };
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
