import type { DocumentResponse } from "@trainyard/document";
import { readParameterValues } from "@trainyard/host";
import type { Run } from "./run.ts";
import type { Exchange } from "./wire.ts";

/** The headers that the document declares. */
export function judgeHeaders(run: Run, exchange: Exchange, response: DocumentResponse): void {
  const { headers } = exchange.answer;
  const validator = run.validator(exchange.service);
  for (const [name, header] of response.headers) {
    const value = headers.get(name);
    if (value === null) {
      const says = `A ${response.status} has the header \`${name}\`.`;
      if (header.required) run.report(exchange, { pointer: header.pointer, says, seen: `no ${name}` });
      continue;
    }
    const parameter = { ...header, name, in: "header", clientOption: undefined, deprecated: false } as const;
    const read = readParameterValues([parameter], "header", "", headers)[name];
    const [fault] = validator.at(header.schema.pointer, read);
    const isEmpty = header.required && value.trim() === "";
    if (fault === undefined && !isEmpty) continue;
    run.report(exchange, {
      pointer: header.pointer,
      says: `\`${name}\`: ${fault?.msg ?? "The header has a value."} ${header.description}`.trim(),
      seen: `${name}: ${value}`,
    });
  }
  judgeScheme(run, exchange, response);
}

/** `WWW-Authenticate` must name a scheme that the operation accepts. */
function judgeScheme(run: Run, exchange: Exchange, response: DocumentResponse): void {
  const declared = [...response.headers].find(([name]) => name.toLowerCase() === "www-authenticate")?.[1];
  const value = exchange.answer.headers.get("www-authenticate");
  if (declared === undefined || value === null) return;
  const kinds = new Set<string>(exchange.operation?.security.flat().map(({ carrier }) => carrier?.kind ?? ""));
  const challenges = value.split(",").map((one) => one.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "");
  if (challenges.some((one) => kinds.has(one))) return;
  run.report(exchange, {
    pointer: declared.pointer,
    says: `\`WWW-Authenticate\`: ${declared.description}`,
    seen: `WWW-Authenticate: ${value}`,
  });
}

/** Each response must have its own request id if the document declares the header. */
export function judgeRequestId(run: Run, exchange: Exchange): void {
  const { operation, answer } = exchange;
  const name = "x-request-id";
  const header = [...(operation?.responses.values() ?? [])].find(({ headers }) => headers.has(name))?.headers.get(name);
  const id = answer.headers.get(name);
  if (header === undefined || id === null) return;
  const { requestIds } = run.state;
  const request = `${exchange.sent.method} ${exchange.sent.url.replace(exchange.service.baseUrl, "")}`;
  const before = requestIds.get(id);
  if (before !== undefined)
    run.report(exchange, {
      pointer: header.pointer,
      says: `\`${name}\`: ${header.description}`,
      seen: `the same ${name} for ${before} and another request`,
    });
  requestIds.set(id, request);
}
