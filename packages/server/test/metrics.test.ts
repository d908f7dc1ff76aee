import { expect, it } from "vitest";
import { makeServer, send } from "./lib.ts";

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
    [`trainyard_requests_total{${create},status="200"}`]: 1,
    [`trainyard_requests_total{${create},status="422"}`]: 3,
    'trainyard_requests_total{service="",operation="",status="404"}': 1,
    [`trainyard_request_duration_seconds_bucket{${create},le="+Inf"}`]: 4,
    [`trainyard_request_duration_seconds_count{${create}}`]: 4,
    trainyard_streams_open: 1,
    trainyard_requests_under_way: 1,
  });
  const jobs = ["queued", "running", "completed", "failed"].map((state) =>
    before.get(`trainyard_jobs{state="${state}"}`),
  );
  expect(jobs.reduce((sum, count) => Number(sum) + Number(count), 0)).toBe(1);
  expect(before.get("trainyard_store_bytes")).toBeGreaterThan(8192);
  await stream.text();
  expect((await read()).get("trainyard_streams_open")).toBe(0);
  for (const apiKey of ["", training.apiKey]) {
    expect((await send({ ...local, apiKey }, "/metrics")).status).toBe(401);
  }
  await server.end();
});
