import { type JsonObject, text } from "../json.ts";
import type { Source } from "./source.ts";
import { thingOf } from "./naming.ts";

/** A path parameter of an operation, with an example value. */
export interface PathParameter {
  readonly name: string;
  readonly parameter: JsonObject;
  readonly value: string;
}

/** The example of an id that is a UUID. The services return 404 for an id that is not one. */
const uuid = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

/** The parameters of a path: existing ones of the service, and new ones. */
export function pathParameters(source: Source, path: string): PathParameter[] {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? "");
  return names.map((name) => {
    for (const file of source.plan.list(source.file("parameters"))) {
      const existing = source.read(`parameters/${file}`);
      if (existing["in"] !== "path" || existing["name"] !== name) continue;
      return { name, parameter: { $ref: `../parameters/${file}` }, value: text(existing["example"]) || uuid };
    }
    const thing = thingOf(name);
    const isId = /(^|_)id$/.test(name);
    const description = isId
      ? `The id of the ${thing}. One that is no UUID gives 404.`
      : `The ${name.replaceAll("_", " ")}.`;
    const value = isId ? uuid : `demo-${thing.replaceAll(" ", "-")}`;
    const parameter = { name, in: "path", required: true, description, schema: { type: "string" }, example: value };
    return { name, parameter, value };
  });
}
