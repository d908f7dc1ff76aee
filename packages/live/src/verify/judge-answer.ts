import { joinPointer } from "@trainyard/core/validation";
import {
  isJson,
  mediaKind,
  mediaFor,
  responseOf,
  type DocumentResponse,
  type Media,
  type Operation,
  wantsStream,
} from "@trainyard/document";
import { readParameterValues } from "@trainyard/host";
import { validatorOf } from "@trainyard/host/validator";
import { cut } from "../text.ts";
import { judgeJson, judgeStream } from "./judge-body.ts";
import { isOurs, type Run } from "./run.ts";
import type { Exchange } from "./wire.ts";

export function judgeAnswer(run: Run, exchange: Exchange): void {
  const { operation, answer } = exchange;
  if (operation === undefined) return;
  const { pointer } = operation;
  if (answer.broken !== undefined) {
    run.report(exchange, { pointer, says: "The operation returns a response.", seen: answer.broken });
    if (answer.status === 0) return;
  }
  judgeRequestId(run, exchange);
  const response = responseOf(operation, answer.status);
  if (response === undefined) {
    if (belongsToNoOperation.has(answer.status)) return isOurs(operation) ? judgeError(run, exchange) : undefined;
    // An unexpected status is reported by the probe that expected another one, and an expected one need not be declared.
    if (exchange.expected !== undefined && !answer.isExample) return;
    return run.report(exchange, {
      pointer: joinPointer(pointer, "responses"),
      certainty: "not declared",
      says: `The operation returns ${[...operation.responses.keys()].join(", ")}.`,
      seen: `status ${answer.status}${excerpt(exchange)}`,
    });
  }
  judgeHeaders(run, exchange, response);
  if (exchange.sent.method === "HEAD") return;
  const media = judgeMedia(run, exchange, response);
  if (media === undefined || answer.broken !== undefined) return;
  const declared = mediaKind(media.mediaType);
  const kind = declared === "any" ? mediaKind(answer.headers.get("content-type") ?? "") : declared;
  // Only a stream of which the document says how it ends can be judged.
  if (kind === "events" && operation.stream !== undefined) judgeStream(run, exchange, media);
  else if (kind === "json") judgeJson(run, exchange, media);
}

/** HTTP statuses that no operation declares: for an unknown path, another method, a media type, or headers that are too large. */
const belongsToNoOperation = new Set([404, 405, 415, 431]);

/** Checks an error outside of any operation: it must have the format of the service's other errors. */
export function judgeError(run: Run, exchange: Exchange): void {
  const { answer, sent } = exchange;
  const { root, operations } = exchange.service.document;
  if (sent.method === "HEAD") return;
  const forms = errorForms(operations);
  const [pointer] = forms;
  const { json } = answer;
  const fits =
    json !== undefined && forms.some((form) => validatorOf(root).at(form, json.value, "response").length === 0);
  if (fits || pointer === undefined) return;
  const says = `An error of the service has the schema ${forms.map((form) => form.split("/").at(-1)).join(" or ")}.`;
  const seen = `status ${answer.status}${excerpt(exchange) || " with another body"}`;
  run.report(exchange, { pointer, says, seen });
}

/** The schemas of the service's errors, except those for invalid requests, which list the invalid fields. */
function errorForms(operations: readonly Operation[]): string[] {
  const responses = operations.flatMap((operation) => [...operation.responses.values()]);
  const errors = responses.filter(({ status }) => /^(4\d\d|500)$/.test(status) && status !== "422");
  const media = errors.flatMap(({ content }) => [...content.values()]).filter(({ mediaType }) => isJson(mediaType));
  return [...new Set(media.flatMap(({ schema }) => schema?.pointer ?? []))];
}

/** The start of an error's body. A success is not quoted, because only its schema says which values are sensitive. */
export function excerpt({ answer }: Exchange): string {
  return answer.status >= 400 && answer.text !== "" ? `, ${cut(answer.text)}` : "";
}

function judgeHeaders(run: Run, exchange: Exchange, response: DocumentResponse): void {
  const { answer, operation, service } = exchange;
  for (const [name, header] of response.headers) {
    const { pointer, description } = header;
    const value = answer.headers.get(name);
    if (value === null) {
      const says = `A ${response.status} has the header \`${name}\`.`;
      if (header.required) run.report(exchange, { pointer, says, seen: `no ${name}` });
      continue;
    }
    const { root } = service.document;
    const read = readParameterValues(root, [header], "header", { headers: answer.headers })[name];
    const [fault] = validatorOf(root).at(header.schema.pointer, read, "response");
    const isEmpty = header.required && value.trim() === "";
    const problem = fault?.msg ?? (isEmpty ? "The header has a value." : undefined);
    const [says, seen] = [`\`${name}\`: ${problem} ${description}`.trim(), `${name}: ${value}`];
    if (problem !== undefined) run.report(exchange, { pointer, says, seen });
    // The challenges must name a scheme that the operation accepts.
    if (name.toLowerCase() !== "www-authenticate" || operation === undefined || !isOurs(operation)) continue;
    const kinds = new Set<string>(operation.security.flat().map(({ carrier }) => carrier?.kind ?? ""));
    const challenges = value.split(",").map((one) => one.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "");
    if (!challenges.some((one) => kinds.has(one)))
      run.report(exchange, { pointer, says: `\`WWW-Authenticate\`: ${description}`, seen });
  }
}

/** Each response must have its own request id if the document declares the header. */
function judgeRequestId(run: Run, exchange: Exchange): void {
  const { operation, answer, sent, service } = exchange;
  const { requestIds } = run.state;
  const name = "x-request-id";
  const header = [...(operation?.responses.values() ?? [])].find(({ headers }) => headers.has(name))?.headers.get(name);
  const id = answer.headers.get(name);
  if (operation === undefined || !isOurs(operation) || header === undefined || id === null) return;
  const seen = `the same ${name} for ${requestIds.get(id)} and another request`;
  if (requestIds.has(id))
    run.report(exchange, { pointer: header.pointer, says: `\`${name}\`: ${header.description}`, seen });
  requestIds.set(id, `${sent.method} ${sent.url.replace(service.baseUrl, "")}`);
}

/** The media type and the charset. Returns the declared body that the response is checked against. */
function judgeMedia(run: Run, exchange: Exchange, { status, content, pointer }: DocumentResponse): Media | undefined {
  const { answer, operation, body } = exchange;
  if (content.size === 0 || answer.status === 204 || answer.status === 205) {
    const says = `The response ${status} has no body.`;
    const seen = `a body of ${answer.text.length} characters`;
    // Without content, a document does not say that an error has no body.
    const isError = answer.status >= 400 && content.size === 0;
    if (answer.text !== "" && !isError) run.report(exchange, { pointer, certainty: "not declared", says, seen });
    return undefined;
  }
  const type = answer.headers.get("content-type");
  const shown = type === null ? "no Content-Type" : `Content-Type: ${type}`;
  const declared = [...content.values()];
  const media = type === null ? undefined : mediaFor(content, type);
  const isStream = operation !== undefined && wantsStream(operation, body) && answer.status < 300;
  const wanted = declared.find(({ item }) => (item !== undefined) === isStream);
  if (media === undefined || (operation?.stream !== undefined && wanted !== undefined && media !== wanted)) {
    const asked = isStream ? ` to \`${operation.stream?.toggle}: true\`` : "";
    const says = `The response ${status}${asked} has the media type ${(wanted ?? declared[0])?.mediaType}.`;
    run.report(exchange, { pointer: wanted?.pointer ?? pointer, says, seen: shown });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type ?? "")?.[1] ?? "utf-8";
  const isNamed = /^utf-?8$/i.test(charset);
  const seen = isNamed ? "bytes that are not UTF-8" : shown;
  const isText = type === null || /json|event-stream/i.test(type);
  if (isText && (!isNamed || !answer.isUtf8))
    run.report(exchange, { pointer, basis: "http", says: "JSON and event streams are UTF-8.", seen });
  // A body in the requested format is judged as such, whatever its media type says.
  return media ?? (answer.json !== undefined || answer.text === "" ? wanted : undefined);
}
