import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";
import { type Property, objectSchema, readProperty } from "./property.ts";
import { sample } from "./sample.ts";
import { Source, follower } from "./source.ts";
import { fit, schemaName, sentence, spaced } from "./naming.ts";
import { toYaml } from "./yaml.ts";

export interface NewSchema {
  /** A service, or `common` for what services share. */
  readonly service: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly basis: string;
  /** Each as `name:type`. By default, the schema has an `id`. */
  readonly properties: readonly string[];
}

/** Plans the file of a schema, with a valid example. */
export function planSchema(plan: Plan, { service, name, description, basis, properties }: NewSchema): void {
  fit("name of a schema", name, schemaName, "it in capitals, such as HardwareOption");
  const common = service === "common";
  const source = common ? undefined : new Source(plan, service);
  const taken = plan.has(`openapi/common/schemas/${name}.yaml`);
  if (taken && !common)
    throw new Failure(`openapi/common/schemas/${name}.yaml already exists. Refer to it, or choose another name.`);
  const refer = (target: string): string => {
    const found =
      source?.schema(target) ??
      (plan.has(`openapi/common/schemas/${target}.yaml`) ? `../schemas/${target}.yaml` : undefined);
    if (found === undefined) throw new Failure(`The schema ${target} does not exist. Create it first.`);
    return found.replace(/^\.\.\/schemas\//, "");
  };
  const read = (properties.length === 0 ? ["id:string"] : properties).map((text) => readProperty(text, refer));
  refuseDuplicates(read);
  const schema = objectSchema(sentence(description ?? `A ${spaced(name)}`), basis, read);
  const file = `openapi/${service}/schemas/${name}.yaml`;
  plan.create(file, toYaml(schema));
  const follow = follower(plan, `openapi/${service}/schemas`);
  plan.edit(file, () => toYaml({ ...schema, examples: [sample(schema, follow, name)] }));
}

function refuseDuplicates(properties: readonly Property[]): void {
  const names = properties.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Failure(`The property "${twice}" is given twice.`);
}
