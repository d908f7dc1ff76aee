import { isObject, memberAt } from "@trainyard/core/validation";
import { absentIn, groupBy, jsonText, kindsOf, ownDescription, shapeOf, type Located } from "@trainyard/document";
import { textTable, wrap } from "@trainyard/terminal/table";
import { flagOf, replacesOption } from "./arguments.ts";
import { bodyProperties, fieldNames, flagParameters } from "./fields.ts";
import { bodyMedia, quoted } from "../request.ts";
import { textOf } from "../text.ts";
import { callName, flagsFor, pathNames, type Contract, type Found } from "../contract.ts";

export function listHelp(found: readonly Found[]): string {
  const texts = [...groupBy(found, ({ contract }) => contract.name)].map(([name, all]) => {
    const rows = all.map(({ operation }) => [`  ${operation.name}`, operation.summary]);
    return [name, ...textTable(rows)].join("\n");
  });
  return `${texts.join("\n\n")}\n`;
}

export function overview(contracts: readonly Contract[], found: readonly Found[], width: number): string {
  const most = 19;
  const lines = (label: (name: string) => string) =>
    [...groupBy(found, ({ contract }) => contract.name)].flatMap(([service, all]) => [
      service,
      ...wrap([...new Set(all.map(({ operation }) => label(operation.name)))], width, "  "),
    ]);
  const group = (name: string) => name.replace(/\..*/, "");
  const names = lines(String);
  const shown = names.length > most ? lines(group) : names;
  const [first] = found;
  const name = first?.operation.name ?? "";
  const line = (words: readonly string[]) => ["  trainyard call", ...words, "--help"].join(" ");
  const { flags = [] } = contracts[0] ?? {};
  return [
    ...(shown.length > most ? [...shown.slice(0, most - 1), "  …"] : shown),
    "",
    "--help shows more:",
    "  trainyard call --help",
    ...(group(name) === name ? [] : [line([group(name), ...flags])]),
    line([name, ...(first ? flagsFor(contracts, first) : [])]),
    "",
  ].join("\n");
}

export interface Field {
  /** `--name`; `--body:=` for a field with the name of an option. */
  readonly flag: string;
  readonly schema: Located;
  /** The schemas of all variants of the body that have the field. */
  readonly schemas: readonly Located[];
  readonly isRequired: boolean;
  readonly description: string;
}

export function fieldsOf({ document, operation }: Found): Field[] {
  const schema = bodyMedia(operation)?.schema;
  const required = new Set([schema?.node["required"] ?? []].flat());
  const absent = schema === undefined ? new Set() : absentIn(document.root, schema.node, "request");
  const sent = [...bodyProperties(document, operation)].filter(([name]) => !absent.has(name));
  const properties = sent.map(([name, { schema: located, schemas }]) => ({
    name,
    schema: located,
    schemas,
    isRequired: required.has(name),
    // A property may describe itself beside its reference.
    description: ownDescription(Object(memberAt(schema?.node, ["properties", name]))) || ownDescription(located.node),
  }));
  const parameters = flagParameters(operation).map((one) => ({
    ...one,
    schemas: [one.schema],
    isRequired: one.required,
  }));
  return [...properties, ...parameters].map((one) => ({ ...one, flag: flagOf(one.name) }));
}

const short: Readonly<Record<string, string>> = { boolean: "bool", integer: "int", number: "num", object: "json" };

export function operationHelp(found: Found, flags: readonly string[], width: number): string {
  const { contract, document, operation } = found;
  const needed = pathNames(operation).map((name) => `  <${name}>`);
  const optional: string[] = [];
  for (const { flag, isRequired, schema, schemas, description } of fieldsOf(found)) {
    const { values, types } = kindsOf(document.root, ...schemas);
    const kinds = [...values.map(textOf), ...types.map((type) => short[type] ?? type)].filter((one) => one !== "null");
    const { default: preset } = schema.node;
    const typed = `${flag} <${kinds.join("|") || "json"}>`;
    if (isRequired) needed.push(...wrap([`${typed} `, ...firstSentence(description)], width, "  ", "      "));
    else optional.push((preset ?? null) === null ? typed : `${typed} (${textOf(preset)})`);
  }
  if (operation.pagination) optional.push("--limit <number of items> (all)");
  const examples = [...(bodyMedia(operation)?.examples.keys() ?? [])];
  const taken = fieldNames(found).filter(replacesOption).map(flagOf);
  return [
    `${contract.name} ${callName(operation)}: ${operation.method} ${operation.path}`,
    ...wrap(firstSentence(operation.description || operation.summary), width, ""),
    "",
    ...(needed.length > 0 ? ["required:", ...needed, ""] : []),
    ...(optional.length > 0 ? ["optional (default):", ...wrap(optional, width, "  "), ""] : []),
    ...(taken.length > 0
      ? [...wrap(`Not options of the command here: ${taken.join(", ")}`.split(" "), width, ""), ""]
      : []),
    ...(examples.length > 0 && !taken.includes("--example") ? ["--example:", ...wrap(examples, width, "  "), ""] : []),
    "example:",
    wrap(exampleWords(found, flags), width - 2, "  ", "    ").join(" \\\n"),
    "",
  ].join("\n");
}

/** A command that calls the operation as its document shows it, with the options that find it. */
export function exampleOf(found: Found, flags: readonly string[]): string {
  return exampleWords(found, flags).join(" ");
}

function exampleWords({ document, operation }: Found, place: readonly string[]): string[] {
  const words = [`trainyard call ${callName(operation)}`];
  for (const name of pathNames(operation)) {
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
    words.push(quoted(textOf(parameter?.example ?? "id")));
  }
  words.push(...place);
  for (const { name, in: where, required, example, schema } of operation.parameters)
    if (where === "query" && required) words.push(...(flagsOf(document.root, schema, name, example) ?? []));
  const [first] = bodyMedia(operation)?.examples ?? [];
  if (first === undefined) return words;
  const [name, body] = first;
  const fields = bodyProperties(document, operation);
  const flags = Object.entries(isObject(body) ? body : {}).flatMap(([key, value]) => {
    const schema = fields.get(key)?.schema;
    return (schema && flagsOf(document.root, schema, key, value)) ?? [undefined];
  });
  const typed = flags.filter((flag) => flag !== undefined);
  const areShort = isObject(body) && typed.length === flags.length && typed.join(" ").length < 160;
  return [...words, ...(areShort ? typed : [`--example ${name}`])];
}

function flagsOf(root: object, schema: Located, name: string, value: unknown): string[] | undefined {
  if (isObject(value) || value === null) return undefined;
  const { types, items } = shapeOf(root, schema);
  const isText = types.has("string") || types.size === 0;
  if (flagOf(name) !== `--${name}` || (isText && typeof value !== "string"))
    return [`--${name}:=${quoted(jsonText(value))}`];
  if (!Array.isArray(value)) return [`--${name} ${quoted(textOf(value).replace(/^@/, "@@"))}`];
  const flags = value.map((one) =>
    Array.isArray(one) ? undefined : flagsOf(root, items?.schema ?? schema, name, one),
  );
  return flags.length > 0 && flags.every((flag) => flag !== undefined) ? flags.flat() : undefined;
}

function firstSentence(text: string): string[] {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  return (/^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain).split(" ");
}
