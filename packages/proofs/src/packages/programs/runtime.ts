/**
 * Each kind of call, at the address in the environment; then a service that redirects to a file of this machine, which some
 * runtimes would open, or from https to http.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { ConfigurationError, createTrainingClient } from "@trainyard/training";
import { createTrainingHttp } from "@trainyard/training/http";
import { callEachKind } from "./calls.ts";

await callEachKind(process.env["TRAINYARD_TRAINING_URL"] ?? "", {});

const server = createServer((_, response) => void response.writeHead(307, { location: import.meta.url }).end());
await once(server.listen(0, "127.0.0.1"), "listening");
const options = { baseUrl: `http://127.0.0.1:${Object(server.address()).port}`, apiKey: "a-key" };
const toPlain = () => Promise.resolve(Response.redirect("http://127.0.0.1/v1/health", 307));
const secure = { ...options, baseUrl: "https://127.0.0.1", fetch: toPlain };

for (const [to, call] of [
  [import.meta.url, () => createTrainingClient(options).health.check()],
  [import.meta.url, () => createTrainingHttp(options).GET("/v1/health")],
  ["http://127.0.0.1", () => createTrainingClient(secure).health.check()],
] as const) {
  const outcome: unknown = await Promise.resolve(call()).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigurationError && outcome.message.includes(`redirects to ${to}, neither https`)))
    throw new Error(`The redirect to ${to} was not refused: ${String(outcome)}`);
}
const bare = await fetch(options.baseUrl).then(
  (response) => response.text(),
  (error: Error) => error.name,
);
server.close();
console.log(`refused a redirect to a file; the runtime's own fetch: ${bare.slice(0, 40)}`);
