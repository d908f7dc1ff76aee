import { isObject } from "@trainyard/core/validation";
import type { Case } from "@trainyard/testing/services";
import * as fc from "fast-check";
import { requestsOf, type Sent } from "./requests.ts";

/** A body of one level more than a host accepts. */
const deep = "[".repeat(101) + "]".repeat(101);
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Requests of an operation that vary everything that a host checks before it performs it. */
export function probesOf(entry: Case): fc.Arbitrary<Sent> {
  return fc
    .record({
      sent: requestsOf(entry),
      method: rarely(fc.constantFrom("HEAD", "OPTIONS")),
      origin: rarely(fc.constantFrom("http://localhost:5173", "https://example.com", "null")),
      requestMethod: rarely(fc.constantFrom("POST", "PATCH")),
      encoding: rarely(fc.constantFrom("gzip", "identity", "br")),
      body: rarely(fc.constant(deep)),
      large: rarely(fc.constantFrom(undefined, undefined, undefined, "a".repeat(20_000))),
      written: rarely(fc.constantFrom(encoded, doubled)),
      key: rarely(
        fc.constantFrom("Basic YXBpOm90aGVy", "Basic Ym9iOmEta2V5", "Basic Ym9iOmEta2V5", "Bearer a-key extra", ""),
      ),
    })
    .map(({ sent, method = sent.method, origin, requestMethod, encoding, body, large, written, key }) => {
      const hasBody = !["GET", "HEAD", "OPTIONS"].includes(method);
      return {
        ...sent,
        method,
        target: written === undefined ? sent.target : written(sent.target),
        headers: {
          ...sent.headers,
          ...(origin !== undefined && { origin }),
          ...(requestMethod !== undefined && {
            "access-control-request-method": requestMethod,
            "access-control-request-headers": "x-own",
          }),
          ...(encoding !== undefined && { "content-encoding": encoding }),
          ...(large !== undefined && { "x-large": large }),
          ...(key !== undefined && { authorization: key }),
        },
        body: hasBody && sent.body !== undefined ? (body ?? sent.body) : undefined,
      };
    });
}

/** The same path, with a percent-encoded letter. */
function encoded(target: string): string {
  return target.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

/** Another path, with two leading slashes. */
function doubled(target: string): string {
  return `/${target}`;
}

/** The compared parts of a response that precedes a handler. Messages are left out. */
export type Outcome = Readonly<Record<string, unknown>>;

const compared = [
  "allow",
  "www-authenticate",
  "content-type",
  "retry-after",
  "vary",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
];

/** Reads a response: its status, its headers, and the code and the paths in its body. */
export async function outcomeOf(response: Response): Promise<Outcome> {
  const text = await response.text();
  const headers = compared.map((name): [string, unknown] => [name, response.headers.get(name)]);
  const common = {
    status: response.status,
    "x-request-id": response.headers.has("x-request-id"),
    "has a body": text !== "",
  };
  return { ...common, ...Object.fromEntries(headers), ...inBody(response, text) };
}

function inBody({ status, headers }: Response, text: string): Outcome {
  if (status < 300 || text === "" || !headers.get("content-type")?.includes("json")) return {};
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) return { form: typeof body };
  const { detail, error, reason, error_type: code, ...others } = body;
  const inner = isObject(error) ? error : {};
  return {
    form: Object.keys(body).toSorted().join(" "),
    code: code ?? inner["code"] ?? null,
    type: inner["type"] ?? null,
    places: Array.isArray(detail)
      ? detail.map((fault) => (isObject(fault) ? [fault["loc"], fault["type"]] : fault))
      : (inner["param"] ?? null),
    others: Object.keys(others),
    reason: typeof reason === "string",
  };
}
