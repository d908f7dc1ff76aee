import { request } from "node:http";
import { isObject } from "@trainyard/core/validation";
import { mediaKind, shapeOf, writeStyled, type Document, type Operation, type Parameter } from "@trainyard/document";
import { sampleOf } from "@trainyard/host";

/** A request of an operation: the same bytes for each server. */
export interface Counted {
  readonly method: string;
  /** Path and query, without the prefix of a server. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const bodyKinds = ["json", "form", "multipart", "text", "bytes"] as const;

/**
 * One request of each operation. A path parameter is its example, else the first value of its `enum`, else 1 for a number,
 * else `abc`. Required queries and a required body are generated from their schemas. It prefers the lowest declared 2xx.
 */
export async function countedRequest({ root }: Document, operation: Operation): Promise<Counted> {
  const { method, path, parameters, responses } = operation;
  const named = new Map(parameters.filter((one) => one.in === "path").map((one) => [one.name, one]));
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(pathValue(root, named.get(name)))),
  );
  const pairs = parameters
    .filter((one) => one.in === "query" && one.required)
    .flatMap((one) => written(one, one.example ?? sampleOf(root, one.schema, undefined, "request").value));
  const success = [...responses.keys()].filter((status) => /^2\d\d$/.test(status)).toSorted()[0];
  const { type, body } = await bodyOf(root, operation);
  // With a key, because both refuse every other request.
  const keys = chooseKeys(operation);
  const search = [...pairs, ...keys.query];
  return {
    method,
    target: filled + (search.length > 0 ? `?${new URLSearchParams(search)}` : ""),
    headers: {
      ...keys.headers,
      // Without it, Node would send the body of a DELETE after the end of the request.
      ...(body && { "content-length": String(body.length) }),
      ...(success && { prefer: `code=${success}` }),
      ...(type && { "content-type": type }),
    },
    body,
  };
}

function chooseKeys({ security: [schemes = []] }: Operation): {
  headers: Record<string, string>;
  query: [string, string][];
} {
  const headers: Record<string, string> = {};
  const query: [string, string][] = [];
  for (const { carrier } of schemes) {
    if (carrier?.kind === "query") query.push([carrier.name, "a-key"]);
    else if (carrier?.kind === "header") headers[carrier.name] = "a-key";
    else if (carrier !== undefined)
      headers["authorization"] = carrier.kind === "basic" ? `Basic ${btoa("api:a-key")}` : "Bearer a-key";
  }
  return { headers, query };
}

function pathValue(root: object, parameter: Parameter | undefined): unknown {
  if (parameter === undefined) return "abc";
  const { schema, example } = parameter;
  const { enum: listed } = schema.node;
  if (example !== undefined) return example;
  if (Array.isArray(listed)) return listed[0];
  const { types } = shapeOf(root, schema);
  return types.has("integer") || types.has("number") ? 1 : "abc";
}

function written(parameter: Parameter, value: unknown): [string, string][] {
  try {
    return writeStyled(parameter, value).flatMap(([name, texts]) =>
      [texts].flat().map((text): [string, string] => [name, text]),
    );
  } catch {
    return [[parameter.name, JSON.stringify(value)]];
  }
}

async function bodyOf(root: object, { body }: Operation): Promise<{ type?: string; body: Uint8Array | undefined }> {
  const all = [...(body?.content.values() ?? [])];
  const media = bodyKinds.flatMap((kind) => all.filter(({ mediaType }) => mediaKind(mediaType) === kind))[0];
  if (body?.required !== true || media === undefined) return { body: undefined };
  const value = media.schema && sampleOf(root, media.schema, undefined, "request").value;
  const kind = mediaKind(media.mediaType);
  if (kind === "json") return { type: media.mediaType, body: new TextEncoder().encode(JSON.stringify(value ?? {})) };
  const fields = isObject(value) ? Object.entries(value) : [];
  const texts = fields.map(([name, one]): [string, string] => [
    name,
    typeof one === "string" ? one : JSON.stringify(one),
  ]);
  const form = new FormData();
  for (const [name, one] of texts) form.append(name, one);
  const text = typeof value === "string" ? value : "abc";
  const whole = kind === "form" ? new URLSearchParams(texts) : kind === "multipart" ? form : text;
  const response = new Response(whole);
  const type = kind === "multipart" ? (response.headers.get("content-type") ?? "") : media.mediaType;
  return { type, body: new Uint8Array(await response.arrayBuffer()) };
}

/** What a server answered. The status 0 is no answer. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Sends a request. `fetch` would refuse some methods, and follow redirects. */
export function ask(baseUrl: string, { method, target, headers, body }: Counted): Promise<Answered> {
  return new Promise((resolve) => {
    const fail = (error: unknown): void => resolve({ status: 0, type: "", text: String(error) });
    const sent = request(baseUrl + target, { method, headers, timeout: 20_000 }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => (text += piece));
      response.on("error", fail);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "", text }),
      );
    });
    sent.on("timeout", () => sent.destroy(new Error("No answer within 20 s.")));
    sent.on("error", fail);
    sent.end(body);
  });
}
