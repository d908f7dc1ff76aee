import { expect, it, onTestFinished, vi } from "vitest";
import { makeServer, send, sharedServer, until } from "./lib.ts";
import { newModel } from "./trainers.ts";

// The control interface under `/_local`, as its document says.
const server = sharedServer();
const control = server.connect("local");

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const response = await send(control, path, { method, ...(body && { body: JSON.stringify(body) }) });
  return response.status === 200 ? response.json() : { status: response.status, ...(await response.json()) };
}

it("takes its own key alone", async () => {
  const status = async (apiKey: string) => (await send({ ...control, apiKey }, "/faults")).status;
  expect(await status(control.apiKey)).toBe(200);
  expect(await status(server.connect("training").apiKey)).toBe(401);
  const headers = { Authorization: `Bearer ${control.apiKey}` };
  const foreign = await send(server.connect("training"), "/v1/preview/models", { body: "{}", headers });
  expect(foreign.status).toBe(401);
});

it("plans, lists and forgets faults, of operations that there are", async () => {
  const fault = { operation: "health.check", status: 503, times: 2, headers: { "Retry-After": "9" } };
  expect(await call("POST", "/faults", fault)).toEqual({ status: "ok" });
  expect(await call("GET", "/faults")).toEqual({ data: [fault] });
  const health = await send(server.connect("training"), "/v1/health");
  expect([health.status, health.headers.get("retry-after")]).toEqual([503, "9"]);
  expect(await call("GET", "/faults")).toEqual({ data: [{ ...fault, times: 1 }] });
  expect(await call("DELETE", "/faults")).toEqual({ status: "ok" });
  expect((await send(server.connect("training"), "/v1/health")).status).toBe(200);
  for (const operation of ["models.creat", "local reset"]) {
    expect(await call("POST", "/faults", { operation, status: 500 })).toMatchObject({
      status: 422,
      detail: [{ loc: ["body", "operation"], msg: expect.stringContaining("There is no operation") }],
    });
    expect(() => server.fault({ operation })).toThrow("There is no operation");
  }
  expect(await call("POST", "/faults", { operation: "*", status: 199 })).toMatchObject({ status: 422 });
});

it("delays and cuts answers, at a port too", async () => {
  // What serves the port says there that the answer broke off.
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const own = makeServer();
  const url = await own.listen({ port: 0 });
  const training = { ...own.connect("training"), baseUrl: url, fetch };
  const plan = { body: JSON.stringify({ operation: "*", delayMs: 60, cut: true }) };
  expect((await send({ ...own.connect("local"), baseUrl: `${url}/_local`, fetch }, "/faults", plan)).status).toBe(200);
  const start = performance.now();
  const response = await send(training, "/v1/health");
  expect(performance.now() - start).toBeGreaterThan(50);
  // The head came, and half of the body: then the connection ended.
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow(TypeError);
  expect(await (await send(training, "/v1/health")).json()).toEqual({ status: "ok" });
  await own.end();
});

it("answers a chat as planned, a piece at a time", async () => {
  const operation = "inference chat.completions.create";
  const plan = { operation, chunks: ["Hel", "lo"], toolCalls: [{ name: "f" }], chunkDelayMs: 1 };
  expect(await call("POST", "/faults", plan)).toEqual({ status: "ok" });
  server.fault({ ...plan, cutAfter: 1 });
  const { inference } = server.clients();
  const question = {
    model: "demo/tiny",
    messages: [{ role: "user" as const, content: "Hello" }],
    stream: true as const,
  };
  const whole = await (await inference.chat.completions.create(question)).final();
  expect(whole.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: "Hello", tool_calls: [{ function: { name: "f", arguments: "{}" } }] },
  });
  await expect((await inference.chat.completions.create(question)).final()).rejects.toMatchObject({
    name: "StreamError",
  });
});

it("sets the time that everything goes by, standing still or going on", async () => {
  expect(await call("PUT", "/clock", { now: "2030-01-01T00:00:00Z", frozen: true })).toEqual({
    now: "2030-01-01T00:00:00Z",
  });
  expect(await call("GET", "/clock")).toEqual({ now: "2030-01-01T00:00:00Z" });
  const { training } = server.clients(server.fresh());
  const { id } = await training.trainingJobs.createRl({
    model_id: (await newModel(training)).id,
    trajectory_groups: [],
  });
  const job = await until(async () => {
    const found = await training.trainingJobs.get(id);
    return found.status === "failed" && found;
  });
  expect(job.training_end).toBe("2030-01-01T00:00:00.000Z");
  await call("PUT", "/clock", { now: "2031-01-01T00:00:00+01:00" });
  const times = () => call("GET", "/clock").then((body) => Date.parse(Object(body).now));
  const first = await times();
  expect(first).toBeGreaterThanOrEqual(Date.parse("2030-12-31T23:00:00Z"));
  await until(async () => (await times()) > first);
  expect(await call("PUT", "/clock", { now: "soon" })).toMatchObject({ detail: [{ loc: ["body", "now"] }] });
  await call("PUT", "/clock", { now: null });
  expect(await times()).toBeLessThanOrEqual(Date.now());
});

it("brings lines in, of an import that was begun", async () => {
  const line =
    '{"model":"tiny","id":"a","name":"A","type":"gpu","pricing":{"cents_per_million_input_tokens":1,"cents_per_million_output_tokens":2}}';
  const chunk = { id: "by-hand", kind: "hardware", from: 0, lines: [line, "", "{}"] };
  const good = { ...chunk, lines: [line, ""] };
  expect(await call("POST", "/imports/add", good)).toMatchObject({ status: 422, detail: [{ loc: ["body", "id"] }] });
  expect(await call("POST", "/imports/finish", { id: "by-hand" })).toMatchObject({ status: 422 });
  expect(await call("POST", "/imports/begin", { id: "by-hand", kind: "hardware" })).toEqual({ lines: 0, faults: [] });
  expect(await call("POST", "/imports/add", chunk)).toMatchObject({ lines: 0, faults: [{ line: 3 }] });
  expect(await call("POST", "/imports/add", good)).toEqual({ lines: 2, faults: [] });
  // What is here already is not taken twice.
  expect(await call("POST", "/imports/add", good)).toEqual({ lines: 2, faults: [] });
  expect((await server.clients().auxiliary.hardware.list({ model: "tiny" })).hardware).toEqual([]);
  expect(await call("POST", "/imports/finish", { id: "by-hand" })).toEqual({ records: 1 });
  expect((await server.clients().auxiliary.hardware.list({ model: "tiny" })).hardware).toHaveLength(1);
  expect(await call("POST", "/imports/begin", { id: "b", kind: "everything" })).toMatchObject({ status: 422 });
});

it("reads logs back, as they were sent", async () => {
  const { training } = server.clients();
  const model = await newModel(training);
  const body = { split: "s", trajectory_groups: [{ trajectories: [{ reward: 1 }] }] };
  for (const split of ["a", "b", "c"]) await training.models.log(model.id, { ...body, split });
  const read = (more: string) =>
    call("GET", `/logs?model_id=${model.id}${more}`) as Promise<{ data: { seq: number }[] }>;
  const { data: first } = await read("&limit=2");
  expect(first).toMatchObject([{ step: 0, split: "a", body: { ...body, split: "a" } }, { split: "b" }]);
  expect((await read(`&after=${first.at(-1)?.seq}`)).data).toMatchObject([{ split: "c" }]);
  await training.models.delete(model.id);
  expect((await read("")).data).toEqual([]);
});

it("deletes everything but the keys", async () => {
  const { training, auxiliary } = server.clients();
  const model = await newModel(training);
  await server.import("objects", [{ project_id: "team-0/p", object_id: "o", val: 1 }]);
  await call("POST", "/faults", { operation: "health.check", status: 503 });
  await call("PUT", "/clock", { now: "2030-01-01T00:00:00Z", frozen: true });
  expect(await call("POST", "/reset")).toEqual({ status: "ok" });
  await expect(training.models.delete(model.id)).rejects.toMatchObject({ status: 404 });
  await expect(
    auxiliary.objects.read({ project_id: "team-0/p", object_id: "o", digest: "latest" }),
  ).rejects.toMatchObject({ status: 404 });
  expect(await training.health.check()).toEqual({ status: "ok" });
  expect(await call("GET", "/faults")).toEqual({ data: [] });
  expect(await call("GET", "/clock")).not.toEqual({ now: "2030-01-01T00:00:00Z" });
});
