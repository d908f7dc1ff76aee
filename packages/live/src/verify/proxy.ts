import { once } from "node:events";
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { createRouter } from "@trainyard/host";
import { UsageError } from "@trainyard/terminal/command";
import type { LiveService } from "../contract.ts";
import { keysIn } from "../request.ts";
import { parse } from "../text.ts";
import type { Run } from "./run.ts";
import { answerOf, codeOf } from "./wire.ts";

/** The longest body that is judged, in bytes. Longer ones pass unjudged. */
const longestJudged = 64 * 2 ** 20;

/** Headers of one connection, which Node writes itself. */
const ofConnection = /^(connection|keep-alive|proxy-connection|host)$/i;

/**
 * Forwards what arrives at a port of this machine to the services at an address, unchanged and piece by piece, and judges each
 * response after it has passed. It keeps no bodies.
 */
export async function startProxy(
  port: number,
  url: string,
  run: Run,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  run.isPassive = true;
  const routes = run.services
    .map((service) => ({ service, route: createRouter(service.document.operations) }))
    .toSorted((a, b) => b.service.baseUrl.length - a.service.baseUrl.length);
  const base = url.replace(/\/+$/, "");
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, `${base}${incoming.url}`)
      .then((passed) => passed && judge(run, routes, incoming, passed))
      .catch((error: unknown) => run.findings.notes.add(`A response was not judged: ${String(error)}.`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  }).catch((error: unknown) => {
    throw new UsageError(`The proxy cannot listen at port ${port}${codeOf(error)}. Name another one with --proxy.`);
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What passed, until it is judged; undefined if there is nothing to judge: the client left, or a body is too long. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, url: string) {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  const headers = ["Host", new URL(url).host, ...passing(incoming.rawHeaders)];
  const upstream = send(url, { method: incoming.method, headers });
  const asked = copyOf(incoming);
  const answered = once(upstream, "response");
  let response: IncomingMessage | undefined;
  let hasLeft = false;
  outgoing.on("close", () => {
    // A client that leaves says nothing of the service. Ending the request then breaks the response, too.
    hasLeft = !outgoing.writableFinished && !response?.errored;
    upstream.destroy();
  });
  const sent = pipeline(incoming, upstream).catch(() => undefined);
  try {
    [response] = (await answered) as [IncomingMessage];
  } catch (error) {
    if (!outgoing.destroyed) {
      const message = `trainyard verify --proxy: the service at ${new URL(url).origin} cannot be reached${codeOf(error)}.`;
      outgoing.writeHead(502, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));
    }
    return undefined;
  }
  const got = copyOf(response);
  const { statusCode: status = 0, statusMessage, rawHeaders } = response;
  outgoing.writeHead(status, statusMessage, passing(rawHeaders));
  let broken: string | undefined;
  await pipeline(response, outgoing).catch((error: unknown) => {
    broken = `the connection broke${codeOf(error)}`;
  });
  await sent;
  const [body, bytes] = [asked(), got()];
  if (hasLeft || body === undefined || bytes === undefined) return undefined;
  return { url, body, status, headers: new Headers(pairs(rawHeaders)), bytes, broken };
}

/** Collects what a stream carries; undefined if that is too long to be judged. */
function copyOf(stream: IncomingMessage): () => Buffer | undefined {
  let pieces: Buffer[] | undefined = [];
  let length = 0;
  stream.on("data", (piece: Buffer) => {
    length += piece.length;
    if (length > longestJudged) pieces = undefined;
    else pieces?.push(piece);
  });
  // The pipe starts the stream.
  stream.pause();
  return () => pieces && Buffer.concat(pieces);
}

/** Names and values in turn, as they arrived, without those of one connection. */
function passing(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !ofConnection.test(raw[index - (index % 2)] ?? ""));
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as [string, string]] : []));
}

const decoders = new Map(
  Object.entries({ gzip: gunzipSync, "x-gzip": gunzipSync, deflate: inflateSync, br: brotliDecompressSync }),
);

function judge(
  run: Run,
  routes: readonly { readonly service: LiveService; readonly route: ReturnType<typeof createRouter> }[],
  { method = "GET", headers, rawHeaders }: IncomingMessage,
  { url, body, status, headers: answered, bytes, broken }: NonNullable<Awaited<ReturnType<typeof forward>>>,
): void {
  const { service, route } = routes.find((one) => `${url}/`.startsWith(`${one.service.baseUrl}/`)) ?? {};
  const found =
    service && route?.(new URL(url).pathname.slice(new URL(service.baseUrl).pathname.replace(/\/$/, "").length));
  const operation = found?.operations.get(method === "HEAD" ? "GET" : method);
  run.sent++;
  if (service === undefined || operation === undefined) {
    const shown = `${method} ${url.replace(/\?.*$/s, "")}`;
    if (run.findings.notes.size < 100) run.findings.notes.add(`${shown} is not declared, so it was not judged.`);
    return;
  }
  // The caller's own keys must not be shown, wherever the document lets them stand.
  const credentials = Object.fromEntries(keysIn(url, pairs(rawHeaders), service.document).entries());
  const coding = answered.get("content-encoding") ?? "identity";
  const decode = coding === "identity" || method === "HEAD" ? (as: Buffer) => as : decoders.get(coding);
  if (decode === undefined) {
    run.findings.notes.add(`Responses with \`Content-Encoding: ${coding}\` were not judged.`);
    return;
  }
  const json = /json/i.test(headers["content-type"] ?? "") ? parse(body.toString("utf8"))?.value : undefined;
  run.see({
    service: { ...service, credentials },
    operation,
    sent: { method, url, headers: {} },
    body: json,
    path: found?.params ?? {},
    tried: "",
    answer: answerOf(status, answered, decode(bytes), broken),
  });
}
