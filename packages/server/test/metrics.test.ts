import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttp, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { listening, makeServer, send } from "./lib.ts";

/** The samples of a text in Prometheus' format, by name and labels. Fails if a line is not a sample. */
function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.slice(0, -1).split("\n")) {
    const [, type] = /^# TYPE ([a-z_]+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
    if (type !== undefined) typed.add(type);
    if (line.startsWith("# ")) continue;
    const [, name = "", labels = "", value = ""] =
      /^([a-z_]+)(\{(?:[a-z]+="[^"\\\n]*",?)+\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line) ?? [];
    expect([line, typed.has(name.replace(/_(bucket|sum|count)$/, "")) || typed.has(name)]).toEqual([line, true]);
    samples.set(name + labels, Number(value));
  }
  return samples;
}

it("serves metrics of requests, jobs, streams and the store to Prometheus, for the control key only", async () => {
  const server = makeServer();
  const [training, inference, local] = ["training", "inference", "local"].map((name) => server.connect(name));
  if (!training || !inference || !local) throw new Error("A service is missing.");
  const read = async () => {
    const response = await send(local, "/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return samplesOf(await response.text());
  };
  const clients = server.clients();
  const model = await clients.training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  for (let time = 0; time < 3; time++) await send(training, "/v1/preview/models", { body: "{}" });
  await send(training, "/nowhere");
  await clients.training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [] });
  const body = JSON.stringify({ model: "demo/tiny", messages: [{ role: "user", content: "hi" }], stream: true });
  const stream = await send(inference, "/chat/completions", { body });
  const before = await read();
  const create = `service="training",operation="models.create"`;
  expect(Object.fromEntries(before)).toMatchObject({
    [`trainyard_requests_total{${create},status="200",entity="team-0"}`]: 1,
    [`trainyard_requests_total{${create},status="422",entity="team-0"}`]: 3,
    'trainyard_requests_total{service="",operation="",status="404",entity=""}': 1,
    'trainyard_entity_bytes{entity="team-0"}': expect.any(Number),
    trainyard_job_queue_oldest_seconds: 0,
    [`trainyard_request_duration_seconds_bucket{${create},le="+Inf"}`]: 4,
    [`trainyard_request_duration_seconds_count{${create}}`]: 4,
    trainyard_streams_open: 1,
    trainyard_requests_under_way: 1,
  });
  const jobs = [...before].filter(([name, count]) => name.startsWith("trainyard_jobs{") && count > 0);
  expect(jobs).toEqual([[expect.stringMatching(/state="\w+",entity="team-0"/), 1]]);
  expect(before.get("trainyard_store_bytes")).toBeGreaterThan(8192);
  await stream.text();
  expect((await read()).get("trainyard_streams_open")).toBe(0);
  for (const [apiKey, status] of [
    ["", 401],
    ["wrong", 401],
    [training.apiKey, 403],
  ] as const) {
    expect((await send({ ...local, apiKey }, "/metrics")).status).toBe(status);
  }
  await server.end();
});

const root = join(import.meta.dirname, "../../..");
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

it.skipIf(!hasPromtool)("has alerts that promtool accepts, and that fire when they should", () => {
  for (const args of [
    ["check", "rules", join(root, "alerts.yaml")],
    ["test", "rules", join(import.meta.dirname, "alerts.test.yaml")],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("SUCCESS")]);
  }
});

it("serves each metric that an alert reads, of the chat server and the disk too", async () => {
  // A chat server that redirects, refuses, breaks off, and answers.
  const answers: ((outgoing: ServerResponse) => void)[] = [
    (outgoing) => outgoing.writeHead(307, { Location: "http://127.0.0.1:9/" }).end(),
    (outgoing) => outgoing.writeHead(500).end("{}"),
    (outgoing) => outgoing.writeHead(400).end("{}"),
    (outgoing) => outgoing.writeHead(200, { "Content-Length": "99" }).write("{", () => outgoing.destroy()),
  ];
  const chat = createHttp((incoming, outgoing) => {
    incoming.resume().on("end", () => answers.shift()?.(outgoing));
  });
  const port = await listening(chat);
  const data = temporaryFolder();
  const server = makeServer({ data, backend: { url: `http://127.0.0.1:${port}/v1`, timeoutMs: 10_000 } });
  const url = await server.listen({ port: 0 });
  const { apiKey } = server.connect("local");
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
  while (answers.length > 0) await send(server.connect("inference"), "/chat/completions", { body });
  chat.closeAllConnections();
  await new Promise((resolve) => chat.close(resolve));
  await send(server.connect("inference"), "/chat/completions", { body });
  const metrics = await send({ ...server.connect("local"), apiKey, fetch, baseUrl: `${url}/_local` }, "/metrics");
  const samples = samplesOf(await metrics.text());
  const failures = [...samples].filter(([name]) => name.startsWith("trainyard_upstream_failures_total"));
  expect(Object.fromEntries(failures.map(([name, count]) => [name.split('"')[1], count]))).toEqual({
    refused: 1,
    timeout: 0,
    cut: 1,
    redirect: 1,
    status: 1,
  });
  expect(samples.get("trainyard_upstream_duration_seconds_count")).toBe(4);
  expect(samples.get("trainyard_wal_bytes")).toBeGreaterThan(0);
  const served = new Set([...samples.keys()].map((name) => name.replace(/\{.*/, "")));
  // A thread has a sample once it ended by an error.
  served.add("trainyard_thread_restarts_total");
  const read = readFileSync(join(root, "alerts.yaml"), "utf8").match(/trainyard_\w+(?=[ {)[])/g) ?? [];
  expect([...new Set(read)].filter((name) => !served.has(name))).toEqual([]);
  await server.end();
});
