import { isObject } from "@trainyard/core/validation";
import { ownDescription, shapeOf, type Located } from "@trainyard/document";
import { textTable } from "@trainyard/host/table";
import { bodyProperties, flagParameters } from "./fields.ts";
import { bodyMedia, quote } from "../request.ts";
import { groupBy, textOf } from "../text.ts";
import { allOperations, callName, pathNames, type Contract, type Found } from "../contract.ts";

/** The list of all operations. */
export function listHelp(contracts: readonly Contract[], service: string | undefined): string {
  const groups = groupBy(allOperations(contracts, service), ({ contract }) => contract.name);
  const texts = [...groups].map(([name, all]) => {
    const rows = all.map(({ operation }) => [`  ${callName(operation)}`, operation.summary]);
    return [name, ...textTable(rows)].join("\n");
  });
  return `${texts.join("\n\n")}\n`;
}

/** The help of one operation: its fields, and an example that runs. */
export function operationHelp(found: Found, isAmbiguous: boolean): string {
  const { contract, document, operation } = found;
  const schema = bodyMedia(operation)?.schema;
  const required = new Set([schema?.node["required"] ?? []].flat());
  const fields = [
    ...[...bodyProperties(document, operation)].map(([name, located]) => {
      const description = described(schema, name) ?? ownDescription(located.node);
      return { name, isRequired: required.has(name), schema: located, description };
    }),
    ...flagParameters(operation).map((one) => ({ ...one, isRequired: one.required })),
  ];
  const needed = pathNames(operation).map((name) => `  <${name}>`);
  const optional: string[] = [];
  for (const { name, isRequired, schema: located, description } of fields) {
    const kind = [...shapeOf(document.root, located).types].filter((one) => one !== "null").join("|") || "json";
    if (isRequired) needed.push(`  --${name} <${kind}>  ${cut(firstSentence(description), 70)}`);
    else optional.push(`--${name} <${kind.replace("boolean", "bool").replace("integer", "int")}>`);
  }
  if (operation.pagination) optional.push("--limit <number of items>");
  // As many in a line as fit.
  const lines = (optional.join(" ").match(/--.{1,95}(?= --|$)/g) ?? []).map((line) => `  ${line}`);
  return [
    `${contract.name} ${callName(operation)}: ${operation.method} ${operation.path}`,
    firstSentence(operation.description || operation.summary),
    "",
    ...(needed.length > 0 ? ["required:", ...needed, ""] : []),
    ...(optional.length > 0 ? ["optional:", ...lines, ""] : []),
    "example:",
    `  ${exampleOf(found, isAmbiguous)}`,
    "",
  ].join("\n");
}

/** A command that calls the operation as its document shows it. */
export function exampleOf({ contract, document, operation }: Found, isAmbiguous: boolean): string {
  const parts = ["trainyard call", callName(operation)];
  for (const name of pathNames(operation)) {
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
    parts.push(quoted(textOf(parameter?.example ?? "id")));
  }
  if (isAmbiguous) parts.push(`--service ${contract.name}`);
  for (const { name, in: where, required, example } of operation.parameters)
    if (where === "query" && required) parts.push(`--${name} ${quoted(textOf(example))}`);
  const [first] = bodyMedia(operation)?.examples ?? [];
  if (first === undefined) return parts.join(" ");
  const [name, body] = first;
  const flags = isObject(body) ? Object.entries(body).map(([key, value]) => flagOf(key, value)) : [undefined];
  const fields = bodyProperties(document, operation);
  const areShort =
    flags.every((flag) => flag !== undefined) && isObject(body) && Object.keys(body).every((key) => fields.has(key));
  const typed = flags.join(" ");
  return [...parts, areShort && typed.length < 160 ? typed : `--example ${name}`].join(" ");
}

function flagOf(name: string, value: unknown): string | undefined {
  if (value === null || isObject(value)) return undefined;
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item !== "object")
      ? value.map((item) => `--${name} ${quoted(String(item))}`).join(" ")
      : undefined;
  return value === true ? `--${name}` : `--${name} ${quoted(textOf(value))}`;
}

/** The description that a schema gives to a property with a reference. */
function described(schema: Located | undefined, name: string): string | undefined {
  const properties = schema?.node["properties"];
  const written = isObject(properties) ? properties[name] : undefined;
  const text = isObject(written) ? ownDescription(written) : "";
  return text === "" ? undefined : text;
}

function firstSentence(text: string): string {
  return /^[^]*?\.(?=\s|$)/.exec(text.replaceAll(/\s+/g, " "))?.[0] ?? text;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Cut at the end of a word.
  return `${text.slice(0, most).replace(/[\s,:;(`]*\s\S*$/, "")} …`;
}

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : quote(text);
}
