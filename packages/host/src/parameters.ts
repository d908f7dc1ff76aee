import type { Parameter } from "@trainyard/document";

/** Converts the parameters of one source to the types of the schema: strings, numbers, booleans, lists. */
export function readParameterValues(
  parameters: readonly Parameter[],
  source: "query" | "header",
  query: URLSearchParams,
  headers: Headers,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const parameter of parameters) {
    if (parameter.in !== source) continue;
    const header = headers.get(parameter.name);
    const texts = source === "query" ? query.getAll(parameter.name) : header === null ? [] : [header];
    const last = texts.at(-1);
    if (last === undefined) continue;
    const types = [parameter.schema.node["type"]].flat();
    // If a parameter is repeated, the last value counts, unless it is a list.
    values[parameter.name] = types.includes("array") ? texts : coerce(last, types);
  }
  return values;
}

/** A value that does not have the form of the type stays a string, which the validator reports. */
function coerce(text: string, types: readonly unknown[]): unknown {
  const numeric = types.includes("integer") ? /^[+-]?\d+$/ : /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
  if ((types.includes("integer") || types.includes("number")) && numeric.test(text)) return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
}
