import { expect, it } from "vitest";
import type { ChatCompletion } from "@trainyard/inference";
import { countTokens } from "../src/chat/builtin/vocabulary.ts";
import { send, sharedServer } from "./lib.ts";

const server = sharedServer();
const messages = [{ role: "user" as const, content: "When does the next train leave?" }];
const ask = { model: "demo/tiny", messages };
const textOf = ({ choices }: ChatCompletion) => choices.map(({ message }) => message.content);

it("says the same to the same request, and something else with another seed", async () => {
  const { inference, training } = server.clients();
  const first = await inference.chat.completions.create({ ...ask, seed: 7 });
  expect(textOf(await training.chat.completions.create({ ...ask, seed: 7 }))).toEqual(textOf(first));
  expect(textOf(await inference.chat.completions.create({ ...ask, seed: 8 }))).not.toEqual(textOf(first));
  const greedy = await inference.chat.completions.create({ ...ask, n: 2, temperature: 0 });
  expect(greedy.choices[0]?.message.content).toBe(greedy.choices[1]?.message.content);
  const warm = await inference.chat.completions.create({ ...ask, n: 2 });
  expect(warm.choices[0]?.message.content).not.toBe(warm.choices[1]?.message.content);
});

it("counts tokens exactly", async () => {
  const { inference } = server.clients();
  for (const max_tokens of [1, 5, 200]) {
    const { usage, choices } = await inference.chat.completions.create({ ...ask, max_tokens });
    const [choice] = choices;
    expect(usage?.completion_tokens).toBe(countTokens(choice?.message.content ?? ""));
    expect(usage?.completion_tokens).toBeLessThanOrEqual(max_tokens);
    expect(choice?.finish_reason).toBe(usage?.completion_tokens === max_tokens ? "length" : "stop");
    expect(usage?.prompt_tokens).toBe(4 + countTokens(messages[0]?.content ?? ""));
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  }
});

it("tells the probability of each token, and of its rivals", async () => {
  const { inference } = server.clients();
  const { choices } = await inference.chat.completions.create({
    ...ask,
    logprobs: true,
    top_logprobs: 20,
    temperature: 0,
  });
  const tokens = choices[0]?.logprobs?.content ?? [];
  expect(tokens.map(({ token }) => token).join("")).toBe(choices[0]?.message.content);
  for (const { token, logprob, bytes, top_logprobs: top } of tokens) {
    expect(bytes).toEqual([...new TextEncoder().encode(token)]);
    // Without chance the most probable token is said.
    expect(top[0]?.logprob).toBe(logprob);
    const mass = top.reduce((sum, rival) => sum + Math.exp(rival.logprob), 0);
    expect(mass).toBeLessThanOrEqual(1 + 1e-9);
    expect(mass).toBeGreaterThan(0.5);
  }
});

it("stops before a stop word", async () => {
  const { inference } = server.clients();
  const whole = await inference.chat.completions.create(ask);
  const word = whole.choices[0]?.message.content?.split(" ")[3] ?? "";
  const { choices, usage } = await inference.chat.completions.create({
    ...ask,
    stop: [word, "never said"],
    logprobs: true,
  });
  const text = choices[0]?.message.content ?? "";
  expect(text).toBe(whole.choices[0]?.message.content?.split(word)[0]);
  expect(choices[0]?.finish_reason).toBe("stop");
  expect(choices[0]?.logprobs?.content?.map(({ token }) => token).join("")).toBe(text);
  expect(usage?.completion_tokens).toBe(choices[0]?.logprobs?.content?.length);
});

it("streams what it would say in one piece", async () => {
  const { inference, training } = server.clients();
  const settings = { ...ask, n: 2, seed: 3, logprobs: true, stream_options: { include_usage: true } };
  const { id: _id, ...whole } = await inference.chat.completions.create({ ...settings, stream: false });
  for (const client of [inference, training]) {
    const stream = await client.chat.completions.create({ ...settings, stream: true });
    const { id: _, ...final } = await stream.final();
    expect({ ...final, created: 0 }).toMatchObject({ ...whole, created: 0 });
  }
});

it("calls the tool that it must call, with arguments that fit", async () => {
  const { inference } = server.clients();
  const parameters = {
    type: "object",
    required: ["station"],
    properties: { station: { type: "string", enum: ["Voss"] } },
  };
  const tools = [{ type: "function" as const, function: { name: "next_departures", parameters } }];
  const call = { ...ask, tools, tool_choice: "required" as const };
  const { choices } = await inference.chat.completions.create(call);
  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: {
      content: null,
      tool_calls: [{ type: "function", function: { name: "next_departures", arguments: '{"station":"Voss"}' } }],
    },
  });
  const stream = await inference.chat.completions.create({ ...call, stream: true });
  expect((await stream.final()).choices[0]?.message.tool_calls).toEqual(choices[0]?.message.tool_calls);
  const free = await inference.chat.completions.create({ ...ask, tools });
  expect(free.choices[0]?.message.tool_calls).toBeUndefined();
});

it("answers JSON where it is asked for, and refuses a schema that it cannot keep", async () => {
  const { inference, training } = server.clients();
  const { choices } = await inference.chat.completions.create({ ...ask, response_format: { type: "json_object" } });
  expect(JSON.parse(choices[0]?.message.content ?? "")).toHaveProperty("text");
  const format = { type: "json_schema" as const, json_schema: { name: "a", schema: {} } };
  await expect(inference.chat.completions.create({ ...ask, response_format: format })).rejects.toMatchObject({
    status: 400,
    body: { error: { param: "response_format", code: "invalid_value" } },
  });
  await expect(training.chat.completions.create({ ...ask, response_format: format })).rejects.toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "response_format"] }] },
  });
});

it("knows base models, and the trained ones of the caller by step", async () => {
  const entity = server.fresh();
  const { training, inference } = server.clients(entity);
  await training.models.create({ project: "demo", name: "agent-1", base_model: "demo/tiny" });
  const name = `artifact:///${entity}/demo/agent-1`;
  for (const model of [name, `${name}:latest`, `${name}:step0`]) {
    expect((await inference.chat.completions.create({ ...ask, model })).model).toBe(model);
  }
  for (const model of [
    `${name}:step1`,
    `${name}:v1`,
    "artifact:///team-0/demo/agent-1",
    "demo/huge",
    "",
    `${name}-2`,
  ]) {
    await expect(inference.chat.completions.create({ ...ask, model })).rejects.toMatchObject({
      status: 404,
      body: { error: { code: "model_not_found" } },
    });
    await expect(training.chat.completions.create({ ...ask, model })).rejects.toMatchObject({ status: 404 });
  }
});

it("answers at both chat paths of training", async () => {
  const status = async (path: string) =>
    (await send(server.connect("training"), path, { body: JSON.stringify(ask) })).status;
  expect(await status("/v1/chat/completions")).toBe(200);
  expect(await status("/v1/chat/completions/")).toBe(200);
  expect(await status("/v1/chat/completions//")).toBe(404);
});
