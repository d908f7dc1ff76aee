import { createLocalClient } from "@trainyard/local";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeServer, send, sharedServer, until } from "./lib.ts";
import { newModel } from "./trainers.ts";

// The control interface under `/_local`, with its own client.
const server = sharedServer();
const { control } = server;

it("accepts only its own key", async () => {
  const connection = server.connect("local");
  const list = (controlKey: string) => createLocalClient({ ...connection, controlKey }).faults.list();
  expect(await list(connection.apiKey)).toEqual({ data: [] });
  await expect(list("a-wrong-key")).rejects.toThrow("The control key is not valid.");
  await expect(list(server.connect("training").apiKey)).rejects.toThrow("needs a key of * with the scope read");
  const headers = { Authorization: `Bearer ${connection.apiKey}` };
  const foreign = await send(server.connect("training"), "/v1/preview/models", { body: "{}", headers });
  expect([foreign.status, (await foreign.json()).detail]).toEqual([403, expect.stringContaining("belongs to *")]);
});

it("plans, lists and removes faults of existing operations", async () => {
  const fault = { operation: "health.check", status: 503, times: 2, headers: { "Retry-After": "9" } };
  expect(await control.faults.plan(fault)).toEqual({ status: "ok" });
  expect(await control.faults.list()).toEqual({ data: [fault] });
  const health = await send(server.connect("training"), "/v1/health");
  expect([health.status, health.headers.get("retry-after")]).toEqual([503, "9"]);
  expect(await control.faults.list()).toEqual({ data: [{ ...fault, times: 1 }] });
  expect(await control.faults.clear()).toEqual({ status: "ok" });
  expect((await send(server.connect("training"), "/v1/health")).status).toBe(200);
  for (const operation of ["models.creat", "local state.reset"]) {
    await expect(control.faults.plan({ operation, status: 500 })).rejects.toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "operation"], msg: expect.stringContaining("There is no operation") }],
    });
    expect(() => server.fault({ operation })).toThrow("There is no operation");
  }
  await expect(control.faults.plan({ operation: "*", status: 199 })).rejects.toMatchObject({ status: 422 });
});

it("delays and cuts responses, also on a port", async () => {
  // The listener logs to `console.error` that a response was cut off.
  const consoleError = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => consoleError.mockRestore());
  const own = makeServer();
  const url = await own.listen({ port: 0 });
  const training = { ...own.connect("training"), baseUrl: url, fetch };
  const atPort = createLocalClient({ ...own.connect("local"), baseUrl: `${url}/_local`, fetch });
  await atPort.faults.plan({ operation: "*", delayMs: 60, cut: true });
  const start = performance.now();
  const response = await send(training, "/v1/health");
  expect(performance.now() - start).toBeGreaterThan(50);
  // The head arrived and half of the body, then the connection ended.
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow(TypeError);
  expect(await (await send(training, "/v1/health")).json()).toEqual({ status: "ok" });
  await own.end();
});

it("completes a chat as planned, one piece at a time", async () => {
  const operation = "inference chat.completions.create";
  const plan = { operation, chunks: ["Hel", "lo"], toolCalls: [{ name: "f" }], chunkDelayMs: 1 };
  expect(await control.faults.plan(plan)).toEqual({ status: "ok" });
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
  const error = { after: 1, message: "over quota", code: "later" };
  await control.faults.plan({ operation, chunks: ["Hel"], usage: { prompt_tokens: 3 }, error });
  await expect((await inference.chat.completions.create(question)).final()).rejects.toThrow(/over quota/);
});

it("sets the time of the server, frozen or running", async () => {
  expect(await control.clock.set({ now: "2030-01-01T00:00:00Z", frozen: true })).toEqual({
    now: "2030-01-01T00:00:00Z",
  });
  expect(await control.clock.get()).toEqual({ now: "2030-01-01T00:00:00Z" });
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
  await control.clock.set({ now: "2031-01-01T00:00:00+01:00" });
  const times = () => control.clock.get().then(({ now }) => Date.parse(now));
  const first = await times();
  expect(first).toBeGreaterThanOrEqual(Date.parse("2030-12-31T23:00:00Z"));
  await until(async () => (await times()) > first);
  await expect(control.clock.set({ now: "soon" })).rejects.toMatchObject({ issues: [{ loc: ["body", "now"] }] });
  await control.clock.set({ now: null });
  expect(await times()).toBeLessThanOrEqual(Date.now());
});

it("accepts the lines of an open import", async () => {
  const line =
    '{"model":"tiny","id":"a","name":"A","type":"gpu","pricing":{"cents_per_million_input_tokens":1,"cents_per_million_output_tokens":2}}';
  const { imports } = control;
  const begun = { id: "by-hand", kind: "hardware" } as const;
  const chunk = { ...begun, from: 0, lines: [line, "", "{}"] };
  const good = { ...chunk, lines: [line, ""] };
  await expect(imports.add(good)).rejects.toMatchObject({ status: 422, issues: [{ loc: ["body", "id"] }] });
  await expect(imports.finish({ id: "by-hand" })).rejects.toMatchObject({ status: 422 });
  expect(await imports.begin(begun)).toEqual({ lines: 0, faults: [] });
  expect(await imports.add(chunk)).toMatchObject({ lines: 0, faults: [{ line: 3 }] });
  expect(await imports.add(good)).toEqual({ lines: 2, faults: [] });
  // Existing data are not imported twice.
  expect(await imports.add(good)).toEqual({ lines: 2, faults: [] });
  expect((await server.clients().auxiliary.hardware.list({ model: "tiny" })).hardware).toEqual([]);
  expect(await imports.finish({ id: "by-hand" })).toEqual({ records: 1 });
  expect((await server.clients().auxiliary.hardware.list({ model: "tiny" })).hardware).toHaveLength(1);
  // @ts-expect-error This kind is not listed.
  await expect(imports.begin({ id: "b", kind: "everything" })).rejects.toMatchObject({ status: 422 });
});

it("imports lines of the kind that the import began with alone", async () => {
  const kinds = ["models", "jobs", "feedback", "objects", "hardware", "artifacts", "logs"] as const;
  const { imports } = control;
  // Valid for its own kind, so that nothing else refuses it.
  const feedback = JSON.stringify({
    id: "f",
    project_id: "team-0/p",
    created_at: "2026-11-04T00:00:00Z",
    feedback_type: "x",
    payload: {},
  });
  for (const begun of kinds) {
    for (const kind of kinds.filter((one) => one !== begun)) {
      const id = `${begun} ${kind}`;
      await imports.begin({ id, kind: begun });
      const refusal = { status: 422, issues: [{ loc: ["body", "kind"] }] };
      await expect(imports.add({ id, kind, from: 0, lines: [feedback] })).rejects.toMatchObject(refusal);
      await expect(imports.begin({ id, kind })).rejects.toMatchObject(refusal);
      expect(await imports.finish({ id })).toEqual({ records: 0 });
    }
  }
});

it("returns logs as they were sent", async () => {
  const { training } = server.clients();
  const model = await newModel(training);
  const body = { split: "s", trajectory_groups: [{ trajectories: [{ reward: 1 }] }] };
  for (const split of ["a", "b", "c"]) await training.models.log(model.id, { ...body, split });
  const first = await control.logs.list({ model_id: model.id, limit: 2 });
  expect(first.data).toMatchObject([{ step: 0, split: "a", body: { ...body, split: "a" } }, { split: "b" }]);
  expect((await first.nextPage())?.data).toMatchObject([{ split: "c" }]);
  const splits: string[] = [];
  for await (const { split } of control.logs.list({ model_id: model.id, limit: 1 })) splits.push(split);
  expect(splits).toEqual(["a", "b", "c"]);
  await training.models.delete(model.id);
  expect((await control.logs.list({ model_id: model.id })).data).toEqual([]);
});

it("deletes everything but the keys", async () => {
  const { training, auxiliary } = server.clients();
  const model = await newModel(training);
  await server.import("objects", [{ project_id: "team-0/p", object_id: "o", val: 1 }]);
  await control.faults.plan({ operation: "health.check", status: 503 });
  await control.clock.set({ now: "2030-01-01T00:00:00Z", frozen: true });
  expect(await control.state.reset()).toEqual({ status: "ok" });
  await expect(training.models.delete(model.id)).rejects.toMatchObject({ status: 404 });
  await expect(
    auxiliary.objects.read({ project_id: "team-0/p", object_id: "o", digest: "latest" }),
  ).rejects.toMatchObject({ status: 404 });
  expect(await training.health.check()).toEqual({ status: "ok" });
  expect(await control.faults.list()).toEqual({ data: [] });
  expect(await control.clock.get()).not.toEqual({ now: "2030-01-01T00:00:00Z" });
});
