import { textOf } from "../text.ts";
import { isObject } from "@trainyard/core/validation";
import { jsonOf, ownDescription, type Operation, type Located } from "@trainyard/document";
import { textTable } from "@trainyard/host/table";
import type { Contract } from "../contract.ts";
import { bodyProperties, flagParameters, typesOf } from "./fields.ts";
import { allOperations, callName, type Found } from "./find.ts";

/** The list of all operations. */
export function listHelp(contracts: readonly Contract[], service: string | undefined): string {
  const groups = new Map<string, string[][]>();
  for (const { contract, operation } of allOperations(contracts, service))
    groups.set(contract.name, [...(groups.get(contract.name) ?? []), [`  ${callName(operation)}`, operation.summary]]);
  return `${[...groups].map(([name, rows]) => [name, ...textTable(rows)].join("\n")).join("\n\n")}\n`;
}

/** The most characters for the fields of one operation, so that its help can be read at a glance. */
const mostOfFields = 620;

/** The help of one operation: its fields, and an example that runs. */
export function operationHelp({ contract, document, operation }: Found, isAmbiguous: boolean): string {
  const ids = pathNames(operation);
  const lines = [
    `${contract.name} ${callName(operation)}: ${operation.method} ${operation.path}`,
    firstSentence(operation.description || operation.summary),
    "",
  ];
  const schema = jsonOf(operation.body?.content ?? new Map())?.schema;
  const required = new Set([schema?.node["required"] ?? []].flat().map(String));
  const properties = bodyProperties(document, operation);
  const kind = (located: Located): string =>
    [...typesOf(document, located)].filter((one) => one !== "null").join("|") || "json";
  const needed: string[] = ids.map((name) => `  <${name}>`);
  const optional: string[] = [];
  for (const [name, located] of properties) {
    if (required.has(name))
      needed.push(
        `  --${name} <${kind(located)}>  ${cut(firstSentence(described(schema, name) ?? ownDescription(located.node)), 70)}`,
      );
    else optional.push(`--${name} <${short(kind(located))}>`);
  }
  for (const { name, required: isRequired, schema: located, description } of flagParameters(operation)) {
    const flag = `--${name} <${kind(located)}>`;
    if (isRequired) needed.push(`  ${flag}  ${cut(firstSentence(description), 70)}`);
    else optional.push(flag);
  }
  if (operation.pagination) optional.push("--limit <number of items>");
  if (needed.length > 0) lines.push("required:", ...needed, "");
  if (optional.length > 0) lines.push("optional:", ...wrap(fitted(optional)), "");
  lines.push("example:", `  ${exampleOf({ contract, document, operation }, isAmbiguous)}`);
  return `${lines.join("\n")}\n`;
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
  const [first] = jsonOf(operation.body?.content ?? new Map())?.examples ?? [];
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

/** The parameters of a path, in order. */
export function pathNames({ path }: Operation): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
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

function short(kind: string): string {
  return kind.replace("boolean", "bool").replace("integer", "int");
}

/** As many items as fit, and how many are left. */
function fitted(flags: readonly string[]): string[] {
  const found: string[] = [];
  let length = 0;
  for (const flag of flags) {
    length += flag.length + 1;
    if (length > mostOfFields) return [...found, `and ${flags.length - found.length} more`];
    found.push(flag);
  }
  return found;
}

function wrap(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 100) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
