// @module-tag long
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttp, request, type IncomingMessage } from "node:http";
import { createServer as createNet } from "node:net";
import { join } from "node:path";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient } from "@trainyard/training";
import { expect, it, onTestFinished } from "vitest";
import type { RequestLog } from "../src/index.ts";
import { temporaryFolder } from "./folders.ts";
import { listening, makeServer, until } from "./lib.ts";

// Debian's nginx with the configuration that the guide shows.
const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const config = readFileSync(join(import.meta.dirname, "../../../nginx.conf"), "utf8");

/** Starts nginx in front of a port. Returns its address. @param text the configuration, for a site with or without a prefix */
async function startNginx(port: string, text = config, prefix = "/trainyard"): Promise<string> {
  const folder = temporaryFolder();
  const free = createNet();
  const own = await listening(free);
  await new Promise((resolve) => free.close(resolve));
  const site = text
    .replace("listen 443 ssl;", `listen 127.0.0.1:${own};`)
    .replaceAll(/ {2}ssl_.*\n/g, "")
    .replaceAll("127.0.0.1:4010", `127.0.0.1:${port}`);
  expect(site).toMatch(new RegExp(`proxy_pass http://127.0.0.1:${port}[$;]`));
  writeFileSync(join(folder, "site.conf"), site);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => {
    mkdirSync(join(folder, name));
    return `${name}_temp_path ${join(folder, name)};`;
  });
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
     http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }`,
  );
  const child = spawn("nginx", ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "inherit" });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const url = `http://127.0.0.1:${own}${prefix}`;
  await until(() =>
    fetch(`${url}/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return url;
}

/** A chat server whose stream goes on when `next` is called. */
async function slowChat() {
  const said: { next: () => void; closed: Promise<void> }[] = [];
  const chunk = (content: string) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
  const server = createHttp(async (incoming, outgoing) => {
    incoming.resume();
    if (incoming.url !== "/v1/chat/completions") {
      outgoing.end('{"object":"list","data":[{"id":"m"}]}');
      return;
    }
    outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
    const closed = new Promise<void>((resolve) => outgoing.on("close", () => resolve()));
    for (let count = 1; count <= 3; count++) {
      const asked = new Promise<void>((resolve) => said.push({ next: resolve, closed }));
      outgoing.write(chunk(`${count}`));
      await asked;
    }
    outgoing.end("data: [DONE]\n\n");
  });
  const port = await listening(server);
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}/v1`, said };
}

it.skipIf(!hasNginx)(
  "serves through nginx: streams, large logs, names, the console, aborts and addresses",
  async () => {
    const chat = await slowChat();
    const entries: RequestLog[] = [];
    const server = makeServer({
      backend: { url: chat.url },
      console: true,
      hosts: ["trainyard.example.com"],
      trustedProxies: ["127.0.0.1"],
      log: (entry) => entries.push(entry),
    });
    const direct = new URL(await server.listen({ port: 0 }));
    const url = await startNginx(direct.port);
    const { apiKey } = server.connect("training");
    const training = createTrainingClient({ baseUrl: url, apiKey, maxRetries: 0 });
    const inference = createInferenceClient({ baseUrl: `${url}/inference/v1`, apiKey, maxRetries: 0 });

    // A chunk is sent after the one before has arrived: a proxy that collects them would wait forever.
    const ask = { model: "m", messages: [{ role: "user" as const, content: "hi" }], stream: true as const };
    const seen: unknown[] = [];
    for await (const { choices } of await inference.chat.completions.create(ask)) {
      seen.push(choices[0]?.delta.content);
      chat.said.shift()?.next();
    }
    expect(seen).toEqual(["1", "2", "3"]);

    const left = await inference.chat.completions.create(ask);
    for await (const _ of left) break;
    await chat.said[0]?.closed;
    chat.said.shift()?.next();

    // A name with slashes, which stay encoded on the way.
    const model = await training.models.create({ project: "p", name: "n", base_model: "m" });
    const name = `artifact:///${model.entity}/p/n`;
    expect((await inference.models.retrieve(name)).id).toBe(name);

    const content = "x".repeat(61 * 2 ** 20);
    const trajectory = { reward: 1, messages_and_choices: [{ role: "user" as const, content }] };
    const log = { split: "train" as const, trajectory_groups: [{ trajectories: [trajectory] }] };
    expect(await training.models.log(model.id, log)).toMatchObject({ step: 0 });
    // Above its limit, the server refuses in its own words.
    const large = await fetch(`${url}/inference/v1/chat/completions`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: "x".repeat(33 * 2 ** 20),
    });
    expect([large.status, await large.json()]).toMatchObject([413, { error: { code: "content_too_large" } }]);

    const page = await fetch(`${url}/console/runs/x`, { headers: { Host: "trainyard.example.com" } });
    expect(await page.text()).toContain('src="./../console.js"');
    expect((await fetch(`${url}/console/console.js`)).headers.get("content-type")).toMatch(/javascript/);
    const home = await fetch(url.replace("/trainyard", "/trainyard/"), {
      headers: { Accept: "text/html" },
      redirect: "manual",
    });
    expect(new URL(home.headers.get("location") ?? "", `${url}/`).pathname).toBe("/trainyard/console/");
    const opened = await fetch(`${url}/_local/console/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code: server.consoleUrl()?.split("#")[1] }),
    });
    const cookie = opened.headers.get("set-cookie") ?? "";
    expect(cookie).toContain("Path=/trainyard/_local;");
    const runs = await fetch(`${url}/_local/runs`, { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect(await runs.json()).toMatchObject({ data: [{ id: model.id }] });

    // The address of the client, whatever it says itself.
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { "X-Forwarded-For": "6.6.6.6" };
      request(`${url}/v1/health`, { localAddress: "127.0.0.2", headers }, resolve).on("error", reject).end();
    });
    incoming.resume();
    await fetch(new URL("/v1/health", direct), { headers: { "X-Forwarded-For": "nonsense" } });
    expect(entries.slice(-2).map(({ client }) => client)).toEqual(["127.0.0.2", "127.0.0.1"]);
    await server.end();
  },
);

it.skipIf(!hasNginx)("serves without a prefix, with what the guide changes", async () => {
  const server = makeServer({});
  const direct = new URL(await server.listen({ port: 0 }));
  const text = config
    .replace(/^map [^]*?^}\n/m, "")
    .replace(/ *proxy_cookie_path.*\n/, "")
    .replace("location /trainyard/ {", "location / {")
    .replace("$trainyard_path;", ";");
  expect(text).not.toMatch(/trainyard_path|proxy_cookie_path|^map/m);
  const url = await startNginx(direct.port, text, "");
  const { apiKey } = server.connect("training");
  const inference = createInferenceClient({ baseUrl: `${url}/inference/v1`, apiKey, maxRetries: 0 });
  const training = createTrainingClient({ baseUrl: url, apiKey, maxRetries: 0 });
  const { entity } = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const name = `artifact:///${entity}/p/n`;
  expect((await inference.models.retrieve(name)).id).toBe(name);
  await server.end();
});
