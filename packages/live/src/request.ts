import {
  basic,
  bearer,
  bytesBody,
  formBody,
  inCookie,
  inHeader,
  inQuery,
  joinLists,
  jsonBody,
  multipartBody,
  pathList,
  textBody,
} from "@trainyard/core";
import {
  joinedLists,
  mediaKind,
  preferredMedia,
  reservedQueries,
  sentType,
  streamType,
  shapeOf,
  successAnswers,
  writeStyled,
  type Carrier,
  type Document,
  type Media,
  type Operation,
  type SecurityScheme,
} from "@trainyard/document";
import type { LiveService } from "./contract.ts";

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface Values {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Any value that the body's media type can carry; undefined sends no body. */
  readonly body?: unknown;
  /** The raw body, instead of `body`. */
  readonly text?: string | undefined;
  /** The credentials by the names of their schemes; those of the service by default. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
}

/** Makes the request of an operation, without validating it. */
export async function requestOf(service: LiveService, operation: Operation, values: Values): Promise<Sent> {
  const { query = {}, headers = {}, body, text, credentials = service.credentials } = values;
  const texts = pathTexts(service, operation, values.path);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = texts[name] ?? "";
    if (["", ".", ".."].includes(value)) throw new Error(`${operation.name} needs ${name} in its path.`);
    return encodeURIComponent(value);
  });
  const mark = path.includes("?") ? "&" : "?";
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one);
  const carried: Record<string, string> = {};
  const cookies = [headers["cookie"] ?? []].flat();
  for (const { name, carrier } of chooseSchemes(operation, credentials)) {
    const [where, key, value] = written(carrier, credentials[name] ?? "");
    if (where === "query") search.append(key, value);
    else if (key === "cookie") cookies.push(value);
    else carried[key] = value;
  }
  const media = bodyMedia(operation);
  const type = media === undefined ? "application/json" : sentType(media);
  const sent = text === undefined ? await writeBody(media, body) : { body: text, type };
  return {
    method: operation.method,
    url: joinLists(`${service.baseUrl}${path}${search.size > 0 ? `${mark}${search}` : ""}`, {
      joined: joinedLists(operation),
      reserved: reservedQueries(operation),
    }),
    headers: {
      accept: streamType(operation, body) ?? successAnswers(operation).accept ?? "application/json",
      ...carried,
      ...(sent && { "content-type": sent.type ?? type }),
      ...headers,
      ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
    },
    ...(sent && { body: sent.body }),
  };
}

/** The path parameters as the engine takes them, with the lists among them. */
export function pathTexts(
  { document: { root } }: LiveService,
  { parameters }: Operation,
  path: Values["path"] = {},
): Record<string, string> {
  const isList = (name: string) =>
    parameters.some((one) => one.in === "path" && one.name === name && shapeOf(root, one.schema).types.has("array"));
  return Object.fromEntries(
    Object.entries(path).map(([name, text]) => [name, isList(name) ? pathList(text.split(",")) : text]),
  );
}

export function bodyMedia({ body }: Operation): Media | undefined {
  return body && preferredMedia(body.content)[0];
}

/** Whether the body of a media type is a value that its schema judges, and no text or bytes. */
export function hasMembers(media: Media | undefined): boolean {
  return ["json", "form", "multipart"].includes(mediaKind(media?.mediaType ?? ""));
}

const writers = new Map(Object.entries({ json: jsonBody, form: formBody, multipart: multipartBody, text: textBody }));

export function writerOf({
  mediaType,
  node,
}: Media): [write: typeof jsonBody, encoding: Parameters<typeof jsonBody>[1]] {
  return [writers.get(mediaKind(mediaType)) ?? bytesBody, Object(node["encoding"])];
}

async function writeBody(media: Media | undefined, value: unknown) {
  if (value === undefined) return undefined;
  const [write, encoding] = media ? writerOf(media) : [jsonBody, {}];
  const { body, raw, type } = await write(value, encoding);
  if (raw === undefined) return { body: body ?? "", type };
  const bytes = new Uint8Array(await new Response(raw).arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  // As text where it is one, so that it can be shown.
  return { body: Buffer.from(text).equals(bytes) ? text : bytes, type };
}

/** The texts of typed parameters. @throws TypeError for a value that its style cannot write */
export function writeParameters(
  { parameters }: Operation,
  typed: Readonly<Record<"query" | "header" | "cookie", object>>,
): { readonly query: Record<string, string | string[]>; readonly headers: Record<string, string> } {
  const of = (place: keyof typeof typed) => {
    const values = new Map(Object.entries(typed[place]));
    return parameters.filter((one) => one.in === place).flatMap((one) => writeStyled(one, values.get(one.name)));
  };
  return { query: Object.fromEntries(of("query")), headers: headersFrom(of("header"), of("cookie")) };
}

type Texts = readonly (readonly [name: string, text: string | string[]])[];

export function headersFrom(header: Texts, cookies: Texts): Record<string, string> {
  const cookie = cookies.map(([name, text]) => `${name}=${encodeURIComponent(String(text))}`).join("; ");
  const headers = header.map(([name, text]) => [name, String(text)]);
  return { ...Object.fromEntries(headers), ...(cookie !== "" && { cookie }) };
}

/** The first set of schemes with a credential for each; none if none is required or available. */
export function chooseSchemes(
  { security }: Operation,
  credentials: Readonly<Record<string, string>>,
): readonly SecurityScheme[] {
  return security.find((schemes) => schemes.every(({ name }) => credentials[name] !== undefined)) ?? [];
}

const carriers = { header: inHeader, query: inQuery, cookie: inCookie };

export function carrierOf(carrier: Carrier | undefined): typeof bearer {
  if (carrier && "name" in carrier) return carriers[carrier.kind](carrier.name);
  return carrier?.kind === "basic" ? basic : bearer;
}

/** Where a credential is written: `["header", "authorization", "Bearer …"]`. */
export function written(carrier: Carrier | undefined, secret: string): [where: "header" | "query", string, string] {
  if (carrier?.kind === "query") return ["query", carrier.name, secret];
  const { header = "cookie", write } = carrierOf(carrier);
  return ["header", header, write(secret)];
}

/** The keys that a request has, whoever set them: those of HTTP, and what is where its document says that keys are. */
export function keysIn(url: string, headers: Iterable<[string, string]>, { operations }: Document): string[] {
  const held = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  const declared = operations.flatMap(({ security }) => security.flat().map(({ carrier }) => written(carrier, "")));
  const keys = declared.flatMap(([where, name, start]) => {
    const values = where === "query" ? new URL(url).searchParams.getAll(name) : [];
    if (name !== "cookie") return [...values, ...values.map(inUrl), held.get(name.toLowerCase()) ?? ""];
    return (held.get(name) ?? "").split(/;\s*/).map((one) => (one.startsWith(start) ? one.slice(start.length) : ""));
  });
  for (const name of ["authorization", "proxy-authorization"]) keys.push(held.get(name) ?? "");
  return keys.map((key) => key.replace(/^(Bearer|Basic)\s+/i, "")).filter((key) => key !== "");
}

/** A text as the query of a URL has it. */
const inUrl = (text: string): string => new URLSearchParams({ key: text }).toString().slice("key=".length);

/** Removes credentials from a text, both plain and as they are sent. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  const base64 = (secret: string) => Buffer.from(secret, "latin1").toString("base64");
  let result = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of [secret, encodeURIComponent(secret), inUrl(secret), base64(`api:${secret}`), base64(secret)])
      result = result.replaceAll(form, "[key]");
  }
  return result;
}

/**
 * The `curl` command that sends the same request. A key appears as its environment variable, or as `[key]` if it was typed,
 * never as its value.
 */
export function curlOf(
  { method, url, headers, body }: Sent,
  ...services: readonly Pick<LiveService, "credentials" | "variables" | "document">[]
): string {
  const typed = services.flatMap(({ document }) => keysIn(url, Object.entries(headers), document));
  const ours = services.flatMap(({ credentials, variables }) =>
    Object.entries(credentials).map(([scheme, secret]) => [secret, `$${variables?.[scheme] ?? scheme}`] as const),
  );
  const secrets = new Map([...typed.map((key) => [key, "[key]"] as const), ...ours]);
  return [
    `curl -X ${method} ${quote(url, secrets)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`, secrets)}`),
    ...(typeof body === "string" ? [`--data-raw ${quote(body)}`] : body ? ["--data-binary @-"] : []),
  ].join(" \\\n  ");
}

/** Quotes a word for a shell. Secrets appear as what stands for them: variables, which only double quotes expand. */
function quote(text: string, secrets: ReadonlyMap<string, string> = new Map()): string {
  const escaped = (plain: string): string => plain.replaceAll(/["\\$`]/g, "\\$&");
  let shown = escaped(text);
  for (const [secret, name] of secrets) if (secret !== "") shown = shown.replaceAll(escaped(secret), () => name);
  shown = withoutSecrets(shown, secrets.keys());
  return shown === escaped(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${shown}"`;
}

export function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : quote(word);
}
