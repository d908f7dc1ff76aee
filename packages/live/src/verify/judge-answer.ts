import { formatLoc, isObject, joinPointer, saysMore, type Loc } from "@trainyard/core/validation";
import {
  dialect,
  isJson,
  ownDescription,
  responseOf,
  type DocumentResponse,
  type Media,
  type Operation,
} from "@trainyard/document";
import { readParameterValues } from "@trainyard/host";
import type { Validator } from "@trainyard/host/validator";
import { judgeSentences } from "./sentences.ts";
import { readEvents } from "./events.ts";
import type { Findings } from "./report.ts";
import { pointerAt, walk, type Value } from "./walk.ts";
import type { Exchange } from "./wire.ts";

/** What a response is checked against. */
export interface Judging {
  readonly findings: Findings;
  readonly validator: Validator;
}

/** Checks one response of an operation against its document: status, headers, media type, body. */
export function judgeAnswer(judging: Judging, exchange: Exchange): void {
  const { operation, answer } = exchange;
  if (operation === undefined) return;
  const { findings } = judging;
  const responses = joinPointer(operation.pointer, "responses");
  if (answer.broken !== undefined) {
    findings.add(exchange, {
      pointer: operation.pointer,
      says: "The operation returns a response.",
      seen: answer.broken,
    });
    if (answer.status === 0) return;
  }
  judgeRequestId(judging, exchange);
  const response = responseOf(operation, answer.status);
  if (response === undefined) {
    if (belongsToNoOperation.has(answer.status)) return judgeError(judging, exchange);
    // An unexpected status is reported by the probe that expected another one.
    if (exchange.expected?.includes(answer.status) === false && !answer.isExample) return;
    findings.add(exchange, {
      pointer: responses,
      certainty: "not declared",
      says: `The operation returns ${[...operation.responses.keys()].join(", ")}.`,
      seen: `status ${answer.status}${excerpt(exchange)}`,
    });
    return;
  }
  judgeHeaders(judging, exchange, response);
  if (exchange.sent.method === "HEAD") return;
  const media = judgeMedia(judging, exchange, response);
  if (media === undefined || answer.broken !== undefined) return;
  if (media.mediaType === "text/event-stream") judgeStream(judging, exchange, media);
  else if (isJson(media.mediaType)) judgeJson(judging, exchange, media);
}

/** HTTP statuses that no operation declares: for an unknown path, another method, a media type, or headers that are too large. */
const belongsToNoOperation = new Set([404, 405, 415, 431]);

function judgeHeaders({ findings, validator }: Judging, exchange: Exchange, response: DocumentResponse): void {
  const { headers } = exchange.answer;
  for (const [name, header] of response.headers) {
    const value = headers.get(name);
    if (value === null) {
      const says = `A ${response.status} has the header \`${name}\`.`;
      if (header.required) findings.add(exchange, { pointer: header.pointer, says, seen: `no ${name}` });
      continue;
    }
    const parameter = { ...header, name, in: "header", clientOption: undefined, deprecated: false } as const;
    const read = readParameterValues([parameter], "header", "", headers)[name];
    const [fault] = validator.at(header.schema.pointer, read);
    const isEmpty = header.required && value.trim() === "";
    if (fault === undefined && !isEmpty) continue;
    findings.add(exchange, {
      pointer: header.pointer,
      says: `\`${name}\`: ${fault?.msg ?? "The header has a value."} ${header.description}`.trim(),
      seen: `${name}: ${value}`,
    });
  }
  judgeScheme(findings, exchange, response);
}

/** `WWW-Authenticate` must name a scheme that the operation accepts. */
function judgeScheme(findings: Findings, exchange: Exchange, response: DocumentResponse): void {
  const declared = [...response.headers].find(([name]) => name.toLowerCase() === "www-authenticate")?.[1];
  const value = exchange.answer.headers.get("www-authenticate");
  if (declared === undefined || value === null) return;
  const kinds = new Set<string>(exchange.operation?.security.flat().map(({ carrier }) => carrier?.kind ?? ""));
  const challenges = value.split(",").map((one) => one.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "");
  if (challenges.some((one) => kinds.has(one))) return;
  findings.add(exchange, {
    pointer: declared.pointer,
    says: `\`WWW-Authenticate\`: ${declared.description}`,
    seen: `WWW-Authenticate: ${value}`,
  });
}

/** Each response must have its own request id if the document declares the header. */
const ids = new WeakMap<Findings, Map<string, string>>();

function judgeRequestId({ findings }: Judging, exchange: Exchange): void {
  const { operation, answer } = exchange;
  const name = "x-request-id";
  const header = [...(operation?.responses.values() ?? [])].find(({ headers }) => headers.has(name))?.headers.get(name);
  const id = answer.headers.get(name);
  if (header === undefined || id === null) return;
  const seen = ids.get(findings) ?? new Map<string, string>();
  ids.set(findings, seen);
  const request = `${exchange.sent.method} ${exchange.sent.url.replace(exchange.service.baseUrl, "")}`;
  const before = seen.get(id);
  if (before !== undefined)
    findings.add(exchange, {
      pointer: header.pointer,
      says: `\`${name}\`: ${header.description}`,
      seen: `the same ${name} for ${before} and another request`,
    });
  seen.set(id, request);
}

function judgeMedia({ findings }: Judging, exchange: Exchange, response: DocumentResponse): Media | undefined {
  const { answer, operation } = exchange;
  if (response.content.size === 0) {
    if (answer.text !== "")
      findings.add(exchange, {
        pointer: response.pointer,
        certainty: "not declared",
        says: `The response ${response.status} has no body.`,
        seen: `a body of ${answer.text.length} characters`,
      });
    return undefined;
  }
  const written = answer.headers.get("content-type");
  const name = (written ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const declared = [...response.content.values()];
  const media = declared.find(({ mediaType }) => mediaType.toLowerCase() === name);
  const isStream = wantsStream(exchange) && answer.status < 300;
  const wanted = isStream
    ? declared.find(({ item }) => item !== undefined)
    : declared.find(({ item }) => item === undefined);
  if (media === undefined || (wanted !== undefined && media !== wanted)) {
    findings.add(exchange, {
      pointer: response.pointer,
      says: `The response ${response.status}${isStream && operation?.stream ? ` to \`${operation.stream.toggle}: true\`` : ""} has the media type ${(wanted ?? declared[0])?.mediaType}.`,
      seen: written === null ? "no Content-Type" : `Content-Type: ${written}`,
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(written ?? "")?.[1] ?? "utf-8";
  const isNamed = /^utf-?8$/i.test(charset);
  if (!isNamed || !answer.isUtf8)
    findings.add(exchange, {
      pointer: response.pointer,
      basis: "http",
      says: "JSON and event streams are UTF-8.",
      seen: isNamed ? "bytes that are not UTF-8" : `Content-Type: ${written}`,
    });
  // A body in the requested format is judged as such, whatever its media type says.
  return media ?? (answer.json !== undefined || answer.text === "" ? wanted : undefined);
}

/** Whether a request asks for a stream. */
export function wantsStream({ operation, body }: Exchange): boolean {
  return operation?.stream !== undefined && isObject(body) && body[operation.stream.toggle] === true;
}

function judgeJson(judging: Judging, exchange: Exchange, media: Media): void {
  const { findings } = judging;
  const { answer } = exchange;
  if (answer.json === undefined) {
    findings.add(exchange, {
      pointer: media.pointer,
      says: "The body is JSON.",
      seen: answer.text === "" ? "an empty body" : `a body that is not JSON, ${answer.text.length} characters`,
    });
    return;
  }
  judgePathId(judging, exchange);
  if (media.schema !== undefined) judgeValue(judging, exchange, media, media.schema.pointer, answer.json.value);
}

/** A resource that is read by its id must have that id. */
function judgePathId({ findings }: Judging, exchange: Exchange): void {
  const { operation, path, answer } = exchange;
  const name = operation?.method === "GET" ? /\{([^}]+)\}$/.exec(operation.path)?.[1] : undefined;
  const value = answer.json?.value;
  if (operation === undefined || name === undefined || answer.status !== 200 || answer.isExample || !isObject(value))
    return;
  const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
  const { id } = value;
  if (typeof id !== "string" || id.toLowerCase() === path[name]?.toLowerCase()) return;
  findings.add(exchange, {
    pointer: parameter?.pointer ?? operation.pointer,
    says: `\`${name}\`: ${parameter?.description ?? "the id of the resource."}`,
    seen: `the id ${id} for ${path[name]}`,
  });
}

function judgeStream(judging: Judging, exchange: Exchange, media: Media): void {
  for (const event of readEvents(exchange, media, judging.findings)) {
    if (media.item !== undefined && event !== undefined)
      judgeValue(judging, exchange, media, media.item.pointer, event);
  }
}

/** Checks a value against its schema: required and undeclared properties, and the rules of its description. */
export function judgeValue(judging: Judging, exchange: Exchange, media: Media, pointer: string, value: unknown): void {
  const { findings, validator } = judging;
  const { operation, answer, service } = exchange;
  if (operation === undefined) return;
  const { root } = service.document;
  const faults = validator.answer(operation, answer.status, media.mediaType, value) ?? [];
  const values = walk({ root, validator }, pointer, value);
  for (const fault of faults) {
    if (saysMore(fault)) continue;
    const at = pointerAt(root, values, fault.loc) ?? pointer;
    findings.add(exchange, {
      pointer: at,
      says: `${generalPath(fault.loc)}: ${fault.msg}`,
      seen: shown(values, fault.loc, value),
    });
  }
  for (const { loc, name, schema } of undeclared(values)) {
    findings.add(exchange, {
      pointer: schema,
      certainty: "not declared",
      says: `${generalPath(loc)} has no property \`${name}\`.`,
      seen: `a property ${name}`,
    });
  }
  for (const { loc, value: one, schema } of values) {
    const { enum: listed } = schema.node;
    if (!dialect.extensible.read(schema.node) || !Array.isArray(listed) || listed.includes(one)) continue;
    const says = `${generalPath(loc)} is one of ${listed.join(", ")}, and may get more values.`;
    const { pointer: at } = schema;
    findings.add(exchange, { pointer: at, certainty: "not declared", says, seen: shown(values, loc, value) });
  }
  // An invalid value is not checked against the rules for valid ones.
  const broken = new Set(faults.map(({ loc }) => JSON.stringify(loc)));
  const sound = broken.size === 0 ? values : values.filter(({ loc }) => !broken.has(JSON.stringify(loc)));
  judgeSentences(exchange, sound, (breach) => findings.add(exchange, breach));
}

/** The part of a schema's rules which says that it is open. */
export const permitsMore: RegExp = /\bmay add properties\b/;

/**
 * Properties that no schema of their object declares, unless the object is open. Names in backticks in its description count
 * as declared.
 */
function undeclared(values: readonly Value[]): { loc: Loc; name: string; schema: string }[] {
  const objects = new Map<string, Value[]>();
  for (const one of values) {
    if (!isObject(one.value)) continue;
    const key = JSON.stringify(one.loc);
    objects.set(key, [...(objects.get(key) ?? []), one]);
  }
  return [...objects.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || !isObject(first.value)) return [];
    const isOpen = all.some(({ schema: { node } }) => {
      const isUnion = "oneOf" in node || "anyOf" in node || "allOf" in node;
      if (dialect.rules.read(node).some(({ text }) => permitsMore.test(text))) return true;
      return "additionalProperties" in node || (!("properties" in node) && !(isUnion && all.length > 1));
    });
    if (isOpen) return [];
    const schema = all.findLast(({ schema: { node } }) => "properties" in node)?.schema ?? first.schema;
    const prose = all.map((one) => ownDescription(one.schema.node)).join(" ");
    const names = new Set(
      all.flatMap(({ schema: { node } }) => Object.keys(isObject(node["properties"]) ? node["properties"] : {})),
    );
    return Object.keys(first.value)
      .filter((name) => !names.has(name) && !prose.includes(`\`${name}\``))
      .map((name) => ({ loc: first.loc, name, schema: schema.pointer }));
  });
}

/** Checks an error outside of any operation: it must have the format of the service's other errors. */
export function judgeError({ findings, validator }: Judging, exchange: Exchange): void {
  const { answer, service } = exchange;
  if (exchange.sent.method === "HEAD") return;
  const forms = errorForms(service.document.operations);
  const fits = answer.json !== undefined && forms.some((form) => validator.at(form, answer.json?.value).length === 0);
  if (fits || forms.length === 0) return;
  findings.add(exchange, {
    pointer: forms[0] ?? "#",
    says: `An error of the service has the schema ${forms.map((form) => form.split("/").at(-1)).join(" or ")}.`,
    seen: `status ${answer.status}${excerpt(exchange) || " with another body"}`,
  });
}

/** The schemas of the service's errors, except those for invalid requests, which list the invalid fields. */
function errorForms(operations: readonly Operation[]): string[] {
  const pointers = operations.flatMap(({ responses }) =>
    [...responses].flatMap(([status, { content }]) =>
      /^(4\d\d|500)$/.test(status) && status !== "422"
        ? [...content.values()].flatMap(({ schema }) => (schema ? [schema.pointer] : []))
        : [],
    ),
  );
  return [...new Set(pointers)];
}

/** The start of a sentence about a location: "`data[].step`" for the step of any item, or "The body". */
function generalPath(loc: Loc): string {
  return loc.length === 0 ? "The body" : `\`${formatLoc(loc).replaceAll(/\[\d+\]/g, "[]")}\``;
}

/** The value at a location, unless it is sensitive. */
export function shown(values: readonly Value[], loc: Loc, value: unknown): string {
  let target: unknown = value;
  for (const step of loc) {
    if (Array.isArray(target)) target = target[Number(step)];
    else if (isObject(target) && Object.hasOwn(target, step)) target = target[step];
    else return `no \`${formatLoc(loc)}\``;
  }
  const key = JSON.stringify(loc);
  const isHidden = values.some((one) => one.sensitive && key.startsWith(JSON.stringify(one.loc).slice(0, -1)));
  const hidesMore = values.some((one) => one.sensitive && JSON.stringify(one.loc).startsWith(key.slice(0, -1)));
  if (isHidden || hidesMore) return `${formatLoc(loc) || "the body"}: ${kindOf(target)} (sensitive)`;
  return `${formatLoc(loc) || "the body"}: ${cut(JSON.stringify(target) ?? "nothing")}`;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

/** The start of an error's body. A success is not quoted, because only its schema says which values are sensitive. */
export function excerpt({ answer }: Exchange): string {
  return answer.status >= 400 && answer.text !== "" ? `, ${cut(answer.text)}` : "";
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
