import { formatLoc, isObject } from "@trainyard/core/validation";
import { mediaKind, type Document, type Located, type Operation } from "@trainyard/document";
import type { Validator } from "@trainyard/host/validator";
import {
  allOperations,
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
import { fillFields, put, readArguments, readBytes, readJson, type Filled, type Typed } from "./fields.ts";
import { listHelp, operationHelp, overview } from "./help.ts";
import { printerOf } from "./printer.ts";
import { rawOperation } from "./raw.ts";

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
  const { out, err, environment, columns: width = 80 } = terminal;
  const contracts = own.document === undefined ? ours : [await contractIn(own.document, allow)];
  const [name, path, ...rest] = positionals;
  if (name === undefined || own.help !== undefined) {
    const all = allOperations(contracts, own.service).filter(({ operation }) => operation.aliasOf === undefined);
    const group = all.filter(({ operation }) => operation.name.startsWith(`${name}.`));
    if (name === undefined && own.help !== undefined) out(callHelp);
    else if (name === undefined) out(own.service === undefined ? overview(all, width) : listHelp(all));
    else if (group.length > 0) out(listHelp(group));
    else {
      const found = findOperation(contracts, own.service, name);
      out(operationHelp(found, isAmbiguous(contracts, found), width));
    }
    return 0;
  }
  const isRaw = path !== undefined && path.startsWith("/") && /^[A-Z]+$/.test(name);
  const found = isRaw
    ? await rawOperation(allOperations(contracts, own.service), name, path, err)
    : findOperation(contracts, own.service, name);
  const { contract, document, operation } = found;
  const ids = isRaw ? rest : positionals.slice(1);
  const printer = printerOf(own.field, terminal);
  const ready = await prepare(document, operation, ids, typed, terminal);
  const addresses = own["base-url"] === undefined ? [] : [own["base-url"]];
  const service = {
    ...serviceAt(contract, addresses, true, environment),
    fetch: own["-i"] === undefined ? terminal.fetch : withHeaders(terminal),
  };
  if (own["dry-run"] !== undefined) {
    out(`${curlOf(await requestOf(service, operation, ready), service)}\n`);
    return 0;
  }
  const { send } = await import("./send.ts");
  // A pointer into the page itself, and not into its items.
  const isPage = /^\/data\/\d+(\/|$)/.test(own.field ?? "");
  const sent = isPage ? { ...operation, pagination: undefined } : operation;
  const code = await send(service, sent, ready, terminal, printer);
  return code === 0 ? printer.end() : code;
}

/** Prints the status and the headers of each response. */
function withHeaders({ out, fetch: given = fetch }: CallTerminal): typeof fetch {
  return async (...request) => {
    const response = await given(...request);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join("");
    out(`HTTP/1.1 ${response.status} ${response.statusText}\n${headers}\n`);
    return response;
  };
}

/** Reads the ids, the flags and the body, and validates them against the document, as the service would. */
async function prepare(
  document: Document,
  operation: Operation,
  ids: readonly string[],
  { own, fields }: Typed,
  terminal: CallTerminal,
): Promise<Ready> {
  const names = pathNames(operation);
  if (ids.length !== names.length) {
    const wanted = names.map((name) => ` <${name}>`).join("");
    const given = `${ids.length || "none"} ${ids.length > 1 ? "were" : "was"}`;
    const takes = `${callName(operation)} takes${wanted || " no ids"}, and ${given} given`;
    throw new UsageError(`${takes}: trainyard call ${callName(operation)}${wanted}`);
  }
  const limit = own.limit === undefined ? undefined : Number(own.limit);
  if (limit !== undefined && !(/^\d+$/.test(own.limit ?? "") && Number.isSafeInteger(limit)))
    throw new UsageError(`--limit must be a number of items, not ${own.limit}.`);
  if (limit !== undefined && operation.pagination === undefined)
    throw new UsageError(`${callName(operation)} is not a list, so it does not accept --limit.`);
  // Loading the validators takes longer than everything else before a request.
  const isBare = operation.body === undefined && operation.parameters.every((one) => one.in === "path");
  const validator = isBare ? undefined : (await import("@trainyard/host/validator")).validatorOf(document.root);
  const accepts = (schema: Located, value: unknown) => !validator?.at(schema.pointer, value).length;
  const filled = fillFields(document, operation, fields, accepts);
  const body = await bodyOf(operation, filled.body, own, terminal);
  if (validator) judge(validator, operation, { ...filled, body });
  const path = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? ""]));
  try {
    return { limit, path, body, ...writeParameters(operation, filled) };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : "", { cause });
  }
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
  const isWritten = media !== undefined && !["json", "form", "multipart"].includes(mediaKind(media.mediaType));
  const hasFields = fields.length > 0;
  let base: unknown;
  if (own.example !== undefined) {
    const examples = media?.examples ?? new Map<string, unknown>();
    const names = [...examples.keys()].join(", ");
    if (!examples.has(own.example))
      throw new UsageError(`${callName(operation)} has no example ${own.example}. Its examples are: ${names}.`);
    base = structuredClone(examples.get(own.example));
  } else if (own.body !== undefined && own.body !== "-")
    base = isWritten ? readBytes(own.body) : readJson(String(readBytes(own.body)), `The body from ${own.body}`);
  else if (own.body === "-" && input === undefined)
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

/** @throws {@link UsageError} if the request does not match the document */
function judge(
  validator: Validator,
  operation: Operation,
  { body, ...filled }: Omit<Filled, "body"> & { readonly body: unknown },
): void {
  const media = bodyMedia(operation);
  const isJudged = media?.schema && ["json", "form", "multipart"].includes(mediaKind(media.mediaType));
  // A schema says of a file that it is a string, whatever it contains.
  const plain = () => JSON.parse(JSON.stringify(body, (_, value) => (value instanceof Blob ? "" : value)));
  const ofBody = body !== undefined && isJudged && media.schema ? validator.at(media.schema.pointer, plain()) : [];
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
