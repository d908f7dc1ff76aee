/** A service that redirects to a file of this machine, which some runtimes would open, or from https to http. */
import { once } from "node:events";
import { createServer } from "node:http";
import { ConfigurationError, createTrainingClient, type paths } from "@trainyard/training";
import { createTrainingHttp } from "@trainyard/training/http";
import OpenAI from "openai";
import createClient from "openapi-fetch";

const file = import.meta.url;
const server = createServer((_, response) => void response.writeHead(307, { location: file }).end());
await once(server.listen(0, "127.0.0.1"), "listening");
const baseUrl = `http://127.0.0.1:${Object(server.address()).port}`;
const apiKey = "a-key";

/** What a call returns or throws, as text. */
async function outcome(call: PromiseLike<unknown>): Promise<string> {
  try {
    return `got ${JSON.stringify(await call)}`;
  } catch (error) {
    if (error instanceof ConfigurationError) return `refused: ${error.message}`;
    return error instanceof Error ? error.constructor.name : String(error);
  }
}

const secure = "https://127.0.0.1";
const plain = "http://127.0.0.1";
const toPlain = () => Promise.resolve(new Response(null, { status: 307, headers: { location: `${plain}/v1/health` } }));
for (const [from, to, ended] of [
  [baseUrl, file, outcome(createTrainingClient({ baseUrl, apiKey }).health.check())],
  [baseUrl, file, outcome(createTrainingHttp({ baseUrl, apiKey }).GET("/v1/health"))],
  [secure, plain, outcome(createTrainingClient({ baseUrl: secure, apiKey, fetch: toPlain }).health.check())],
] as const) {
  const text = await ended;
  if (!text.startsWith("refused") || ![from, to, "baseUrl"].every((part) => text.includes(part)))
    throw new Error(`The redirect from ${from} to ${to} was not refused: ${text.slice(0, 200)}`);
}

const others = await Promise.all([
  outcome(fetch(baseUrl).then((response) => response.text())),
  outcome(new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 }).models.list()),
  outcome(createClient<paths>({ baseUrl }).GET("/v1/health")),
]);
server.close();
const [bare, openai, openapiFetch] = others.map((text) => text.slice(0, 40));
console.log(`refused a redirect to a file; fetch: ${bare}, openai: ${openai}, openapi-fetch: ${openapiFetch}`);
