import { once } from "node:events";
import { request } from "node:http";
import { expect, it } from "vitest";
import type { RequestLog } from "../src/index.ts";
import { makeServer, send, sharedServer, until } from "./lib.ts";

const server = sharedServer();
const messages = [{ role: "user" as const, content: "When does the next train leave?" }];
const ask = { model: "demo/tiny", messages };

it("streams the same text that it returns in one piece", async () => {
  const { inference, training } = server.clients();
  const settings = { ...ask, n: 2, seed: 3, logprobs: true, stream_options: { include_usage: true } };
  const { id: _id, ...whole } = await inference.chat.completions.create({ ...settings, stream: false });
  for (const client of [inference, training]) {
    const stream = await client.chat.completions.create({ ...settings, stream: true });
    const { id: _, ...final } = await stream.final();
    expect({ ...final, created: 0 }).toMatchObject({ ...whole, created: 0 });
  }
});

const parameters = {
  type: "object",
  required: ["station"],
  properties: {
    station: { type: "string", enum: ["Voss", "Finse"] },
    most: { type: "integer", minimum: 1, maximum: 5 },
  },
};
const tool = (name: string) => ({ type: "function" as const, function: { name, parameters } });
const tools = [tool("next_departures"), tool("last_departures")];
const named = (name: string) => ({ type: "function" as const, function: { name } });

it.each([
  ["auto", undefined, ["next_departures", "last_departures"]],
  ["required", "required", ["next_departures", "last_departures"]],
  ["a name", named("last_departures"), ["last_departures"]],
  [
    "allowed tools",
    { type: "allowed_tools", allowed_tools: { mode: "required", tools: [named("next_departures")] } },
    ["next_departures"],
  ],
] as const)("calls a tool once with %s, with valid arguments, and then answers with text", async (_, choice, names) => {
  const { inference } = server.clients();
  const call = { ...ask, seed: 5, tools, ...(choice !== undefined && { tool_choice: choice }) };
  const whole = await inference.chat.completions.create(call);
  const [first] = whole.choices;
  const [made] = first?.message.tool_calls ?? [];
  if (first === undefined || made?.type !== "function") throw new Error("No function was called.");
  expect([first.finish_reason, first.message.content]).toEqual(["tool_calls", null]);
  expect(names).toContain(made.function.name);
  expect(["Voss", "Finse"]).toContain(JSON.parse(made.function.arguments).station);
  const final = await (await inference.chat.completions.create({ ...call, stream: true })).final();
  expect(final.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { tool_calls: [{ type: "function", function: made.function }] },
  });
  const answered = [...messages, first.message, { role: "tool" as const, tool_call_id: made.id, content: "9:31" }];
  const after = await inference.chat.completions.create({ ...ask, tools, messages: answered });
  expect([after.choices[0]?.finish_reason, after.choices[0]?.message.tool_calls]).toEqual(["stop", undefined]);
});

const search = { type: "custom", custom: { name: "search_timetable" } } as const;

it.each([
  ["among others", "required", [search]],
  ["by its name", search, [...tools, search]],
  [
    "as the one that is allowed",
    { type: "allowed_tools", allowed_tools: { mode: "required", tools: [search] } },
    [...tools, search],
  ],
] as const)("passes free text to a custom tool, %s, whole and as a stream", async (_, tool_choice, all) => {
  const { inference } = server.clients();
  const call = { ...ask, seed: 5, tools: all, tool_choice };
  const [first] = (await inference.chat.completions.create(call)).choices;
  const made = first?.message.tool_calls?.[0];
  if (made?.type !== "custom") throw new Error("No custom tool was called.");
  expect(made.custom).toEqual({ name: "search_timetable", input: expect.stringMatching(/^[\w ]+$/) });
  const final = await (await inference.chat.completions.create({ ...call, stream: true })).final();
  expect(final.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { tool_calls: [{ type: "custom", custom: made.custom }] },
  });
});

it("returns JSON of a requested schema, and names the location of what allows no value", async () => {
  const { inference, training } = server.clients();
  const object = await inference.chat.completions.create({ ...ask, response_format: { type: "json_object" } });
  expect(JSON.parse(object.choices[0]?.message.content ?? "")).toBeTypeOf("object");
  const of = (schema: object) => ({
    type: "json_schema" as const,
    json_schema: { name: "departure", schema: { ...schema } },
  });
  const fits = await inference.chat.completions.create({ ...ask, response_format: of(parameters) });
  expect(["Voss", "Finse"]).toContain(JSON.parse(fits.choices[0]?.message.content ?? "").station);
  const format = of({ type: "array", minItems: 1, items: { type: "integer", minimum: 2, maximum: 1 } });
  await expect(inference.chat.completions.create({ ...ask, response_format: format })).rejects.toMatchObject({
    status: 400,
    body: { error: { param: "response_format.json_schema.schema.items", code: "invalid_value" } },
  });
  await expect(training.chat.completions.create({ ...ask, response_format: format })).rejects.toMatchObject({
    status: 422,
    issues: [{ loc: ["body", "response_format", "json_schema", "schema", "items"] }],
  });
});

it("answers other chats while it refuses a schema that takes too many steps", async () => {
  const { inference, training } = server.clients();
  const refs = (at: number) => [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }];
  const defs = Array.from({ length: 23 }, (_, at) => [
    `d${at}`,
    at === 22 ? { type: "none" } : { anyOf: refs(at + 1) },
  ]);
  const tool = {
    type: "function" as const,
    function: { name: "a", parameters: { properties: { b: { anyOf: refs(0) } }, $defs: Object.fromEntries(defs) } },
  };
  const chat = (client: typeof inference | typeof training) =>
    client.chat.completions.create({ ...ask, tools: [tool] });
  const refused = Promise.allSettled([chat(inference), chat(training)]);
  expect((await inference.chat.completions.create(ask)).choices).toHaveLength(1);
  const [byInference, byTraining] = await refused;
  const message = expect.stringContaining("takes too many steps");
  const param = expect.stringContaining('tools[0].function.parameters["$defs"].d');
  expect(byInference).toMatchObject({ reason: { status: 400, body: { error: { message, param } } } });
  expect(byTraining).toMatchObject({ reason: { status: 422, issues: [{ msg: message }] } });
});

it("ends a stream whose client disconnects in its middle", async () => {
  const entries: RequestLog[] = [];
  const own = makeServer({ log: (entry) => entries.push(entry) });
  const url = await own.listen({ port: 0 });
  const open = async () =>
    /^trainyard_streams_open (\d+)$/m.exec(await (await send(own.connect("local"), "/metrics")).text())?.[1];
  const { apiKey } = own.connect("inference");
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const sent = request(`${url}/inference/v1/chat/completions`, { method: "POST", headers });
  // Far more than is said until the client has left.
  sent.end(JSON.stringify({ ...ask, n: 64, max_tokens: 1024, temperature: 2, stream: true }));
  const [response] = await once(sent, "response");
  await once(response, "data");
  expect(await open()).toBe("1");
  sent.on("error", () => undefined).destroy();
  await until(async () => (await open()) === "0");
  expect(entries.filter(({ outcome }) => outcome !== undefined)).toMatchObject([
    { operation: "inference chat.completions.create", status: 200, outcome: "aborted" },
  ]);
  await own.end();
});

it("rejects a request that would take too much work, and says what to lower", async () => {
  const { inference } = server.clients();
  const much = inference.chat.completions.create({ ...ask, n: 128, logprobs: true, top_logprobs: 20 });
  await expect(much).rejects.toThrow("Lower n, max_completion_tokens or top_logprobs.");
});

it("offers base models, and the caller's trained models by step", async () => {
  const entity = server.fresh();
  const { training, inference } = server.clients(entity);
  await training.models.create({ project: "demo", name: "agent-1", base_model: "demo/tiny" });
  const name = `artifact:///${entity}/demo/agent-1`;
  for (const model of [name, `${name}:latest`, `${name}:step0`]) {
    expect((await inference.chat.completions.create({ ...ask, model })).model).toBe(model);
  }
  const unknown: [model: string, instead: string][] = [
    [`${name}:step1`, `Its newest checkpoint is ${name}:latest.`],
    [`${name}:v1`, "Trained models are named artifact:///entity/project/name, with :stepN or :latest at the end."],
    ["artifact:///team-0/demo/agent-1", `This key has: ${name}.`],
    ["demo/huge", "This service has demo/tiny, and trained models by their step"],
    ["", "This service has demo/tiny, and trained models by their step"],
    [`${name}-2`, `This key has: ${name}.`],
  ];
  for (const [model, instead] of unknown) {
    await expect(inference.chat.completions.create({ ...ask, model })).rejects.toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining(instead), param: "model", code: "model_not_found" } },
    });
    await expect(training.chat.completions.create({ ...ask, model })).rejects.toMatchObject({ status: 404 });
  }
});

it("serves both chat paths of training", async () => {
  const status = async (path: string) =>
    (await send(server.connect("training"), path, { body: JSON.stringify(ask) })).status;
  expect(await status("/v1/chat/completions")).toBe(200);
  expect(await status("/v1/chat/completions/")).toBe(200);
  expect(await status("/v1/chat/completions//")).toBe(404);
});
