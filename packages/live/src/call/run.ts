import { formatLoc, isObject } from "@trainyard/core/validation";
import { mediaKind, type Document, type Operation } from "@trainyard/document";
import {
  callName,
  contractIn,
  findOperation,
  isAmbiguous,
  pathNames,
  serviceAt,
  UsageError,
  type Contract,
} from "../contract.ts";
import { bodyMedia, curlOf, requestOf, writeParameters } from "../request.ts";
import { callHelp, type CallTerminal } from "./command.ts";
import { fillFields, readArguments, readBytes, readText, type Filled, type Typed } from "./fields.ts";
import { listHelp, operationHelp } from "./help.ts";

/** A call, ready to be sent. */
export interface Ready extends ReturnType<typeof writeParameters> {
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly limit?: number | undefined;
}

/** Runs the command, and returns the exit code. */
export async function runCall(
  args: readonly string[],
  contracts: readonly Contract[],
  terminal: CallTerminal,
): Promise<number> {
  return run(args, contracts, terminal).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`${error.message}\n`);
    return 2;
  });
}

async function run(args: readonly string[], ours: readonly Contract[], terminal: CallTerminal): Promise<number> {
  const typed = readArguments(args);
  const { positionals, own, allow } = typed;
  const contracts = own.document === undefined ? ours : [await contractIn(own.document, allow)];
  const [name, ...ids] = positionals;
  if (name === undefined) {
    terminal.out(own.help === undefined ? listHelp(contracts, own.service) : callHelp);
    return 0;
  }
  const found = findOperation(contracts, own.service, name);
  const { contract, document, operation } = found;
  if (own.help !== undefined) {
    terminal.out(operationHelp(found, isAmbiguous(contracts, found)));
    return 0;
  }
  const { limit, path, ...filled } = await prepare(document, operation, ids, typed, terminal);
  await judge(document, operation, filled);
  const ready = { limit, path, body: filled.body, ...written(operation, filled) };
  const addresses = own["base-url"] === undefined ? [] : [own["base-url"]];
  const service = { ...serviceAt(contract, addresses, true, terminal.environment), fetch: terminal.fetch };
  if (own["dry-run"] !== undefined) {
    terminal.out(`${curlOf(await requestOf(service, operation, ready), service.credentials)}\n`);
    return 0;
  }
  const { send } = await import("./send.ts");
  const space = terminal.isTerminal ? 2 : undefined;
  const value = (one: unknown) => terminal.out(`${JSON.stringify(one, null, space) ?? "null"}\n`);
  return send(service, operation, ready, terminal, value);
}

/** Reads the ids, the flags and the body. */
async function prepare(
  document: Document,
  operation: Operation,
  ids: readonly string[],
  { own, fields }: Typed,
  terminal: CallTerminal,
) {
  const names = pathNames(operation);
  if (ids.length !== names.length) {
    const wanted = names.map((name) => ` <${name}>`).join("");
    const given = ids.length === 0 ? "none was" : `${ids.length} were`;
    const takes = `${callName(operation)} takes${wanted || " no ids"}, and ${given} given`;
    throw new UsageError(`${takes}: trainyard call ${callName(operation)}${wanted}`);
  }
  const filled = fillFields(document, operation, fields);
  const limit = own.limit === undefined ? undefined : Number(own.limit);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0))
    throw new UsageError(`--limit must be a number of items, not ${own.limit}.`);
  if (limit !== undefined && operation.pagination === undefined)
    throw new UsageError(`${callName(operation)} is not a list, so it does not accept --limit.`);
  const path = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? ""]));
  return { ...filled, path, limit, body: await bodyOf(operation, filled.body, own, terminal) };
}

/** The texts of the parameters, by the styles of the document. */
function written(operation: Operation, filled: Omit<Filled, "body">) {
  try {
    return writeParameters(operation, filled);
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : "", { cause });
  }
}

async function bodyOf(
  operation: Operation,
  fields: Readonly<Record<string, unknown>>,
  own: Typed["own"],
  { input }: CallTerminal,
): Promise<unknown> {
  const hasFields = Object.keys(fields).length > 0;
  if (operation.body === undefined) {
    if (own.body !== undefined || own.example !== undefined)
      throw new UsageError(`${callName(operation)} does not accept a body.`);
    return undefined;
  }
  const media = bodyMedia(operation);
  // Text and bytes are sent as they are.
  const isWritten = media !== undefined && !["json", "form", "multipart"].includes(mediaKind(media.mediaType));
  let base: unknown;
  if (own.example !== undefined) {
    const examples = media?.examples ?? new Map<string, unknown>();
    const names = [...examples.keys()].join(", ");
    if (!examples.has(own.example))
      throw new UsageError(`${callName(operation)} has no example ${own.example}. Its examples are: ${names}.`);
    base = examples.get(own.example);
  } else if (own.body !== undefined && own.body !== "-")
    base = isWritten ? readBytes(own.body) : parse(readText(own.body), own.body);
  // If there are fields, standard input is read only on request: a script's input may never end.
  else if (input !== undefined && (own.body === "-" || !hasFields)) {
    const text = await input();
    base = text.trim() === "" ? undefined : isWritten ? text : parse(text, "standard input");
  }
  if (base === undefined) {
    if (isWritten && operation.body.required)
      throw new UsageError(`${callName(operation)} needs a body of ${media.mediaType}. Pass a file with --body.`);
    return hasFields || operation.body.required ? { ...fields } : undefined;
  }
  return isObject(base) && hasFields ? { ...base, ...fields } : base;
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new UsageError(`The body from ${where} is not valid JSON: ${why}`, { cause });
  }
}

function withoutFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFiles);
  return value instanceof Blob ? "" : value;
}

/** Validates the request against the document, as the service would. */
async function judge(
  document: Document,
  operation: Operation,
  { body, ...filled }: Omit<Filled, "body"> & { readonly body: unknown },
): Promise<void> {
  if (operation.body === undefined && operation.parameters.every((one) => one.in === "path")) return;
  // Loading the validators takes longer than everything else before a request.
  const { validatorOf } = await import("@trainyard/host/validator");
  const validator = validatorOf(document.root);
  const media = bodyMedia(operation);
  const isJudged = media?.schema && ["json", "form", "multipart"].includes(mediaKind(media.mediaType));
  // A schema says of a file that it is a string, whatever it contains.
  const sent = isObject(body)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withoutFiles(value)]))
    : body;
  const ofBody = body !== undefined && isJudged && media.schema ? validator.at(media.schema.pointer, sent) : [];
  const faults = [
    ...ofBody.map((fault) => ({ ...fault, loc: ["body", ...fault.loc] })),
    ...(["query", "header", "cookie"] as const).flatMap((place) => validator.request(operation, place, filled[place])),
  ];
  if (faults.length === 0) return;
  const lines = faults.map(({ loc, msg }) => `  ${formatLoc(loc.slice(1)) || "the body"}: ${msg}`);
  throw new UsageError(
    `The request does not match the document of ${callName(operation)}, so it was not sent:\n${lines.join("\n")}`,
  );
}
