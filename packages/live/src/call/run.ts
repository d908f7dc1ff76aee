import { formatLoc, isObject } from "@trainyard/core/validation";
import { jsonText, marked, mediaKind, unmarked, type Located, type Operation } from "@trainyard/document";
import type { Validator } from "@trainyard/host/validator";
import { isMisuse, UsageError } from "@trainyard/terminal/command";
import {
  allOperations,
  callName,
  contractIn,
  contractOf,
  findOperation,
  flagsFor,
  pathNames,
  serviceAt,
  type Contract,
  type Found,
} from "../contract.ts";
import { bodyMedia, curlOf, hasMembers, requestOf, writeParameters } from "../request.ts";
import { callHelp, type CallTerminal } from "./command.ts";
import { readCall, type Typed } from "./arguments.ts";
import { watched } from "./watched.ts";
import { fieldNames, fillFields, put, readBytes, readJson, type Filled } from "./fields.ts";
import { listHelp, operationHelp, overview } from "./help.ts";
import { printerOf } from "./printer.ts";
import { rawOperation } from "./raw.ts";

export interface Ready extends ReturnType<typeof writeParameters> {
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly limit?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export async function runCall(
  args: readonly string[],
  contracts: readonly Contract[],
  terminal: CallTerminal,
): Promise<number> {
  const { out, err } = terminal;
  const exact: CallTerminal = {
    ...terminal,
    out: (written) => out(typeof written === "string" ? unmarked(written) : written),
    err: (text) => err(unmarked(text)),
  };
  return run(args, contracts, exact).catch((error: unknown) => {
    if (!isMisuse(error)) throw error;
    terminal.err(`${error.message}\n`);
    return 2;
  });
}

async function run(args: readonly string[], ours: readonly Contract[], terminal: CallTerminal): Promise<number> {
  const first = readCall(args);
  const { out, environment, columns: width = 80 } = terminal;
  const { document: file, help } = first.own;
  const contracts = file === undefined ? ours : [await contractIn(file, first.allow)];
  // A document has one service, so the name of one can only be a field.
  const named = file === undefined ? first.own.service : undefined;
  const [name, target = ""] = first.positionals;
  const [unknown] = first.fields.keys();
  if (name === undefined && unknown !== undefined) throw new UsageError(`There is no option --${unknown}.`);
  if (name === undefined || help !== undefined) {
    const all = allOperations(contracts, named).filter(({ operation }) => operation.aliasOf === undefined);
    const group = all.filter(({ contract, operation: one }) =>
      [one.name, `${contract.name}.${one.name}`].some((full) => full.startsWith(`${name}.`)),
    );
    if (name === undefined && help !== undefined) out(callHelp);
    else if (name === undefined) out(named === undefined ? overview(contracts, all, width) : listHelp(all));
    else if (group.length > 0) out(listHelp(group));
    else {
      const found = findOperation(contracts, named, name);
      out(operationHelp(found, flagsFor(contracts, found), width));
    }
    return 0;
  }
  const addresses = [first.own["base-url"] ?? []].flat();
  const isRaw = /^[a-z]+$/i.test(name) && /^(\/|https?:)/i.test(target);
  const raw = isRaw ? rawOperation(contracts, named, name.toUpperCase(), target, addresses, terminal) : undefined;
  const found = raw ?? findOperation(contracts, named, name);
  const fields = new Set(fieldNames(found));
  const typed = readCall(args, (one) => fields.has(one));
  const { own } = typed;
  if (own.service !== undefined) contractOf(contracts, own.service);
  const printer = printerOf(own.field, terminal);
  const ready = await prepare(found, typed.positionals.slice(raw ? 2 : 1), typed, terminal, flagsFor(contracts, found));
  // A header can stand for the key.
  const isSigned = ready.headers["authorization"] !== undefined;
  const operation = isSigned ? { ...found.operation, security: [] } : found.operation;
  const service = raw?.service ?? serviceAt(found.contract, addresses, true, environment);
  if (own["dry-run"] !== undefined) {
    out(`${curlOf(await requestOf(service, operation, ready), service)}\n`);
    return 0;
  }
  const { send } = await import("./send.ts");
  // A pointer into the page itself, and not into its items.
  const isPage = /^\/data\/\d+(\/|$)/.test(own.field ?? "");
  const code = await send(
    { ...service, fetch: watched(service, operation, own, terminal) },
    isPage ? { ...operation, pagination: undefined } : operation,
    ready,
    terminal,
    printer,
  );
  return code === 0 ? printer.end() : code;
}

/** Reads the ids, the flags and the body, and validates them against the document, as the service would. */
async function prepare(
  { document, operation }: Found,
  ids: readonly string[],
  { own, fields, headers: typedHeaders }: Typed,
  terminal: CallTerminal,
  flags: readonly string[],
): Promise<Ready> {
  const names = pathNames(operation);
  if (ids.length !== names.length) {
    const wanted = names.map((name) => ` <${name}>`).join("");
    const given = `${ids.length || "none"} ${ids.length > 1 ? "were" : "was"}`;
    const takes = `${callName(operation)} takes${wanted || " no ids"}, and ${given} given`;
    const command = ["trainyard call", callName(operation) + wanted, ...flags].join(" ");
    const pair = ids.find((id) => id.includes("="));
    throw new UsageError(`${takes}: ${command}${pair === undefined ? "" : `. A field is a flag: --${pair}`}`);
  }
  const limit = numberOf("limit", own.limit, /^\d{1,15}$/, "a number of items");
  const timeout = numberOf("timeout", own.timeout, /^(?=.*[1-9])\d{1,6}(\.\d+)?$/, "a number of seconds");
  const headers = typedHeaders.map((one) => {
    const [, key, value = ""] = /^([!#$%&'*+.^`|~\w-]+):\s*(.*)$/s.exec(one) ?? [];
    if (key === undefined) throw new UsageError(`--header must be such as "X-Name: value", not ${one}.`);
    return [key.toLowerCase(), value];
  });
  if (limit !== undefined && operation.pagination === undefined)
    throw new UsageError(`${callName(operation)} is not a list, so it does not accept --limit.`);
  // Loading the validators takes longer than everything else before a request.
  const isBare = operation.body === undefined && operation.parameters.every((one) => one.in === "path");
  const validator = isBare ? undefined : (await import("@trainyard/host/validator")).validatorOf(document.root);
  const accepts = (schema: Located, value: unknown) => !validator?.at(schema.pointer, judged(value)).length;
  const filled = fillFields(document, operation, fields, accepts);
  const body = await bodyOf(operation, filled.body, own, terminal);
  if (validator) judge(validator, operation, { ...filled, body });
  const path = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? ""]));
  const isForm = /^(form|multipart)$/.test(mediaKind(bodyMedia(operation)?.mediaType ?? "")) && isObject(body);
  const parts = isForm ? Object.fromEntries(Object.entries(body).map(([name, one]) => [name, partOf(one)])) : body;
  try {
    const written = writeParameters(operation, filled);
    const more = Object.fromEntries(headers);
    const timeoutMs = timeout && timeout * 1000;
    return { ...written, limit, timeoutMs, path, body: parts, headers: { ...written.headers, ...more } };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : "", { cause });
  }
}

function numberOf(name: string, text: string | undefined, form: RegExp, what: string): number | undefined {
  if (text === undefined || form.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError(`--${name} must be ${what}, not ${text}.`);
}

async function bodyOf(
  operation: Operation,
  fields: Filled["body"],
  own: Typed["own"],
  { input, err }: CallTerminal,
): Promise<unknown> {
  if (operation.body === undefined) {
    if (own.body !== undefined || own.example !== undefined)
      throw new UsageError(`${callName(operation)} does not accept a body.`);
    return undefined;
  }
  if (own.body !== undefined && own.example !== undefined)
    throw new UsageError("--body and --example are both a body. Use one of them.");
  const media = bodyMedia(operation);
  // Text and bytes are sent as they are.
  const isWritten = media !== undefined && !hasMembers(media);
  const hasFields = fields.length > 0;
  let base: unknown;
  if (own.example !== undefined) {
    const examples = media?.examples ?? new Map<string, unknown>();
    const names = [...examples.keys()].join(", ");
    if (!examples.has(own.example))
      throw new UsageError(`${callName(operation)} has no example ${own.example}. Its examples are: ${names}.`);
    base = JSON.parse(marked(jsonText(examples.get(own.example))));
  } else if (own.body !== undefined && /^\s*[[{]/.test(own.body))
    base = isWritten ? own.body : readJson(own.body, "The body in --body");
  else if (own.body !== undefined && own.body !== "-") {
    const file = own.body.replace(/^@/, "");
    const bytes = readBytes(file, " --body takes a file, - for standard input, or a JSON object or list.");
    base = isWritten ? bytes : readJson(String(bytes), `The body from ${file}`);
  } else if (own.body === "-" && input === undefined)
    throw new UsageError("--body - reads standard input, and nothing is piped to it.");
  // If there are fields, standard input is read only on request: a script's input may never end.
  else if (input !== undefined && (own.body === "-" || !hasFields)) {
    const text = await input();
    base = text.trim() === "" ? undefined : isWritten ? text : readJson(text, "The body from standard input");
  } else if (input !== undefined) err("Standard input was not read. With --body - the fields are added to it.\n");
  if (base === undefined && isWritten && operation.body.required)
    throw new UsageError(`${callName(operation)} needs a body of ${media.mediaType}. Pass a file with --body.`);
  if (base === undefined && !hasFields) return operation.body.required ? {} : undefined;
  if (!hasFields) return base;
  const body = base ?? {};
  if (!isObject(body)) throw new UsageError("Fields can be added only to a body that is a JSON object.");
  for (const [path, value] of fields) put(body, path, value);
  return body;
}

/** What a form has for a value: a number as the text that was typed. */
function partOf(value: unknown): unknown {
  if (typeof value === "string") return unmarked(value);
  if (Array.isArray(value)) return value.map(partOf);
  return value instanceof Blob ? value : judged(value);
}

/** The value that a schema judges: its numbers without marks, and a text in place of a file, whatever it contains. */
function judged(value: unknown): unknown {
  const text = JSON.stringify(value, (_, one) => (one instanceof Blob ? "" : one)) ?? "{}";
  const { MAX_VALUE: most } = Number;
  // JSON has numbers beyond those of JavaScript.
  return JSON.parse(unmarked(text), (_, one) => (Math.abs(one) === Infinity ? Math.sign(one) * most : one));
}

function judge(
  validator: Validator,
  operation: Operation,
  parts: Omit<Filled, "body"> & { readonly body: unknown },
): void {
  const media = bodyMedia(operation);
  const isJudged = parts.body !== undefined && hasMembers(media);
  const places = (["body", "query", "header", "cookie"] as const).filter((place) => place !== "body" || isJudged);
  const faults = places.flatMap((place) => validator.request(operation, place, judged(parts[place]), media?.mediaType));
  if (faults.length === 0) return;
  const lines = faults.map(({ loc, msg }) => `  ${formatLoc(loc.slice(1)) || "the body"}: ${msg}`);
  const what = `The request does not match the document of ${callName(operation)}, so it was not sent:`;
  throw new UsageError([what, ...lines].join("\n"));
}
