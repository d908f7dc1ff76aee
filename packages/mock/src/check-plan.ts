import { formatLoc, isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import { eventsOf, jsonOf, mediaKind, responseOf, type DocumentResponse, type Operation } from "@trainyard/document";
import { replacesAnswer, successOf, type Call, type PlannedAnswer, type Validator } from "@trainyard/host";

/** A planned response, or the items of a list, which answer page by page. */
export interface ItemsPlan extends PlannedAnswer {
  readonly items?: readonly unknown[];
}

/** A plan before it is checked. */
type Given = ItemsPlan & { readonly unchecked?: boolean };

const amount = (value: unknown) => (typeof value === "number" && value >= 0 ? undefined : "a number from 0");
const count = (value: unknown) => (Number.isInteger(value) ? amount(value) : "a whole number from 0");
const text = (value: unknown) => (typeof value === "string" ? undefined : "text");
const flag = (value: unknown) => (typeof value === "boolean" ? undefined : "true or false");
const list = (value: unknown) => (Array.isArray(value) ? undefined : "a list");

/** The fields of a plan. Each returns what it must be if a value is invalid. */
const fields: { readonly [Key in keyof Required<Given>]: (value: unknown) => string | undefined } = {
  status: (value) =>
    Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599 ? undefined : "a status from 200 to 599",
  example: text,
  body: () => undefined,
  headers: (value) => (isObject(value) && isHeaders(value) ? undefined : "an object of headers, each with text"),
  retryAfter: amount,
  delayMs: amount,
  items: list,
  chunks: list,
  toolCalls: (value) =>
    Array.isArray(value) && value.every((call) => isObject(call) && typeof call["name"] === "string")
      ? undefined
      : "a list of `{ name, arguments }`",
  finishReason: text,
  usage: (value) =>
    isObject(value) && Object.values(value).every((one) => isObject(one) || count(one) === undefined)
      ? undefined
      : "an object of token counts",
  chunkDelayMs: amount,
  cutAfter: count,
  error: (value) =>
    isObject(value) && typeof value["message"] === "string" && count(value["after"]) === undefined
      ? undefined
      : "an object like `{ after: 2, message }`",
  cut: flag,
  disconnect: flag,
  unchecked: flag,
};

/**
 * Reads a plan for an operation.
 * @throws TypeError naming operation and field, if it is not a plan or the contract does not allow it
 */
export function readPlan(operation: Operation, plan: unknown, validator: Validator): ItemsPlan {
  const fail = (fault: string) => new TypeError(`The response planned for ${operation.name} is not valid. ${fault}`);
  if (!isPlan(plan)) throw fail((isObject(plan) && wrongField(plan)) || "It must be an object like `{ status: 503 }`.");
  const fault =
    wrongCombination(operation, plan) ?? (plan.unchecked === true ? undefined : breach(operation, plan, validator));
  if (fault !== undefined) throw fail(fault);
  const { unchecked, ...answer } = plan;
  void unchecked;
  return answer;
}

function isPlan(plan: unknown): plan is Given {
  return isObject(plan) && wrongField(plan) === undefined;
}

function wrongField(plan: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(plan)) {
    if (!isField(name)) return `${name}: This field does not exist. The fields are: ${Object.keys(fields).join(", ")}.`;
    const expected = value === undefined ? undefined : fields[name](value);
    if (expected !== undefined) return `${name}: This must be ${expected}.`;
  }
  return undefined;
}

function isField(name: string): name is keyof typeof fields {
  return Object.hasOwn(fields, name);
}

function isHeaders(value: Readonly<Record<string, unknown>>): boolean {
  try {
    return Object.entries(value).every(([name, text]) => typeof text === "string" && new Headers([[name, text]]));
  } catch {
    return false;
  }
}

/** Errors that no operation permits, even unchecked. */
function wrongCombination({ name, stream, pagination }: Operation, plan: Given): string | undefined {
  const { body, example, items, chunks, toolCalls, finishReason, usage, cutAfter, error } = plan;
  const given = (parts: object) =>
    Object.entries(parts).flatMap(([part, value]) => (value === undefined ? [] : [part]));
  const [part] = given({ chunks, toolCalls, finishReason, usage, error });
  const [whole, other] = given({ body, example, items });
  if (other !== undefined) return `${whole}, ${other}: Only one of them is permitted.`;
  if (items !== undefined && pagination === undefined) return `items: ${name} has no pages.`;
  if (part !== undefined) {
    if (stream === undefined) return `${part}: ${name} has no stream.`;
    if (part === "error") return undefined;
    if (part !== "chunks" && stream.fold !== "chat") return `${part}: ${name} is not a chat.`;
    if (whole !== undefined) return `${whole}, ${part}: Only one of them is permitted.`;
    if ((plan.status ?? 200) >= 300) return `status, ${part}: An error has a body. Use only one of them.`;
  }
  if (chunks !== undefined && toolCalls === undefined)
    for (const [field, after = 0] of Object.entries({ cutAfter, "error.after": error?.after }))
      if (after > chunks.length) return `${field}: There are ${chunks.length} chunks.`;
  return undefined;
}

/** The page of a list that begins after a cursor. A page has no more than `limit` items. */
export function pageOf({ pagination }: Operation, items: readonly unknown[], query: Call["query"] = {}): JsonObject {
  const { cursor = "", item = "", more = "" } = pagination ?? {};
  const start = items.findIndex((one) => isObject(one) && one[item] === query[cursor]) + 1;
  const end = start + Number(query["limit"] ?? items.length);
  return { data: items.slice(start, end), [more]: end < items.length };
}

/** Errors that the contract causes. */
function breach(operation: Operation, plan: Given, validator: Validator): string | undefined {
  if (!replacesAnswer(plan) && plan.items === undefined) return undefined;
  const { name, responses } = operation;
  const { status = successOf(operation), example, items, chunks } = plan;
  const declared = responseOf(operation, status);
  if (declared === undefined) {
    // Failures on the way, such as a proxy's 502, are in no contract.
    if (status >= 400 && example === undefined) return undefined;
    return `status: ${name} declares no response ${status}. It declares: ${[...responses.keys()].join(", ")}.${lie}`;
  }
  if (example !== undefined) return wrongExample(operation, declared, example);
  const judge = (media: string, value: unknown) => validator.answer(operation, status, media, value);
  if (items) return wrongBody(operation, declared, pageOf(operation, items), judge)?.replaceAll("body.data[", "items[");
  if (plan.body !== undefined) return wrongBody(operation, declared, plan.body, judge);
  return chunks && wrongChunk(operation, declared, chunks, judge);
}

type Judge = (mediaType: string, value: unknown) => readonly Fault[] | undefined;

function wrongExample({ name }: Operation, { status, content }: DocumentResponse, example: string): string | undefined {
  const names = [...new Set([...content.values()].flatMap(({ examples }) => [...examples.keys()]))];
  if (names.includes(example)) return undefined;
  const there = names.join(", ") || "none";
  return `example: The response ${status} of ${name} has no example "${example}". There are: ${there}.`;
}

function wrongBody({ name }: Operation, declared: DocumentResponse, body: unknown, judge: Judge): string | undefined {
  const { status, content } = declared;
  const media = jsonOf(content);
  if (media === undefined && ![...content.keys()].some((type) => mediaKind(type) === "text"))
    return `body: ${name} answers ${status} without JSON.${lie}`;
  if (media === undefined)
    return typeof body === "string" ? undefined : `body: ${name} answers ${status} with text.${lie}`;
  if (typeof body === "string" && media.schema?.node["type"] !== "string")
    return `body: ${name} answers ${status} with JSON, but a string is sent unchanged.${lie}`;
  return describeFaults(["body"], judge(media.mediaType, body));
}

function wrongChunk(
  { stream }: Operation,
  { content }: DocumentResponse,
  chunks: readonly unknown[],
  judge: Judge,
): string | undefined {
  const texts = stream?.fold === "chat" ? chunks.map((chunk) => typeof chunk === "string") : [];
  if (texts.length > 0 && texts.every(Boolean)) return undefined;
  if (texts.includes(true))
    return `chunks[${texts.indexOf(true)}]: Write either all chunks as text, or all as objects.${lie}`;
  const mediaType = eventsOf(content)?.mediaType ?? "text/event-stream";
  for (const [index, chunk] of chunks.entries()) {
    const fault = describeFaults(["chunks", index], judge(mediaType, chunk));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The first three faults with their paths, and the number of others. */
function describeFaults(path: readonly (string | number)[], faults: readonly Fault[] = []): string | undefined {
  if (faults.length === 0) return undefined;
  const first = faults.slice(0, 3).map(({ loc, msg }) => `${formatLoc([...path, ...loc])}: ${msg}`);
  return [...first, ...(faults.length > 3 ? [`${faults.length - 3} more.`] : [])].join(" ") + lie;
}

const lie = " To send it anyway, pass `unchecked: true`.";
