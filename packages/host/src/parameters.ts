import type { Parameter } from "@trainyard/document";

/**
 * Converts the parameters of one source to the types of the schema: strings, numbers, booleans, lists of them.
 *
 * @param search the query as it was sent, without `?`
 */
export function readParameterValues(
  parameters: readonly Parameter[],
  source: "query" | "header",
  search: string,
  headers: Headers,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const parameter of parameters) {
    if (parameter.in !== source) continue;
    const texts = source === "query" ? textsOf(parameter, search) : [headers.get(parameter.name) ?? []].flat();
    const last = texts.at(-1);
    if (last === undefined) continue;
    const types = [parameter.schema.node["type"]].flat();
    const itemTypes = [parameter.items?.node["type"]].flat();
    // If a parameter is repeated, the last value counts, unless it is a list.
    values[parameter.name] = types.includes("array")
      ? texts.map((text) => coerce(text, itemTypes))
      : coerce(last, types);
  }
  return values;
}

/** The values of a query parameter. Only a comma that is not encoded separates two items. */
function textsOf({ name, isJoined = false }: Parameter, search: string): string[] {
  const repeat = (_: string, key: string, items: string) => `${key}=${items.replaceAll(",", `&${key}=`)}`;
  return new URLSearchParams(isJoined ? search.replaceAll(/([^&=]*)=([^&]*)/g, repeat) : search).getAll(name);
}

/** A value that does not have the form of the type stays a string, which the validator reports. */
function coerce(text: string, types: readonly unknown[]): unknown {
  const numeric = types.includes("integer") ? /^[+-]?\d+$/ : /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
  if ((types.includes("integer") || types.includes("number")) && numeric.test(text)) return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
}
