import OpenAI from "openai";
import { expect, it } from "vitest";
import { sharedServer } from "./lib.ts";

// The unchanged openai library, at both services with its interface.
const server = sharedServer();
const url = await server.listen({ port: 0 });
const [{ key: apiKey } = { key: "" }] = server.keys;
const model = "demo/tiny";
const messages = [{ role: "user" as const, content: "hi" }];

it.each([`${url}/inference/v1`, `${url}/v1`])("completes and streams at %s", async (baseURL) => {
  const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, project: "team-0/demo" });
  const whole = await client.chat.completions.create({ model, messages, seed: 1 });
  expect(whole.choices[0]?.message.content).toMatch(/\w+ \w+/);
  expect(whole.usage?.total_tokens).toBeGreaterThan(0);
  const stream = await client.chat.completions.create({ model, messages, seed: 1, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe(whole.choices[0]?.message.content);
  // The response becomes part of the next request unchanged.
  const [choice] = whole.choices;
  const next = await client.chat.completions.create({
    model,
    messages: [...messages, ...(choice ? [choice.message] : [])],
  });
  expect(next.choices).toHaveLength(1);
});

it("lists models", async () => {
  const client = new OpenAI({ apiKey, baseURL: `${url}/inference/v1` });
  const ids: string[] = [];
  for await (const entry of client.models.list()) ids.push(entry.id);
  expect(ids).toContain(model);
});

it("retrieves a model by every name that chat takes, and says what there is instead of another", async () => {
  const client = new OpenAI({ apiKey, baseURL: `${url}/inference/v1`, maxRetries: 0 });
  await server.connect("training").fetch(`${url}/v1/preview/models`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ project: "demo", name: "one", base_model: model }),
  });
  const trained = "artifact:///team-0/demo/one";
  for (const asked of [model, trained, `${trained}:latest`, `${trained}:step0`, `acme-${trained}:step0`]) {
    expect(await client.models.retrieve(asked)).toMatchObject({ id: asked, object: "model" });
    expect((await client.chat.completions.create({ model: asked, messages, max_tokens: 1 })).choices).toHaveLength(1);
  }
  for (const asked of ["demo/gigantic", `${trained}:step9`, "artifact:///lighthouse/demo/one"])
    await expect(client.models.retrieve(asked)).rejects.toMatchObject({
      status: 404,
      param: "model",
      code: "model_not_found",
      message: `404 The model ${asked} does not exist. The list has: ${model}, ${trained}.`,
    });
});

it.each([
  ["inference/v1/models/demo/tiny", "inference/v1/models/demo%2Ftiny? Write each slash of a name as %2F."],
  [
    "inference/v1/models/artifact:///a/b/c:step1",
    "inference/v1/models/artifact:%2F%2F%2Fa%2Fb%2Fc:step1? Write each slash of a name as %2F.",
  ],
  ["v1/models", `inference/v1/models? The base address of inference is ${url}/inference/v1.`],
  ["v1/models/demo%2Ftiny", `inference/v1/models/demo%2Ftiny? The base address of inference is ${url}/inference/v1.`],
])("answers GET /%s with the address that was meant", async (path, meant) => {
  const response = await fetch(`${url}/${path}`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain(`No operation matches GET /${path}. Did you mean GET /${meant}`);
});

it("throws the errors of the openai client", async () => {
  const client = new OpenAI({ apiKey, baseURL: `${url}/inference/v1`, maxRetries: 0 });
  const create = (extra: object) => client.chat.completions.create({ model, messages, ...extra });
  await expect(create({ model: "no/such" })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(create({ messages: "hi" })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  await expect(create({ messages: "hi" })).rejects.toMatchObject({ param: "messages", code: "invalid_value" });
  await expect(new OpenAI({ apiKey: "wrong", baseURL: `${url}/inference/v1` }).models.list()).rejects.toBeInstanceOf(
    OpenAI.AuthenticationError,
  );
  server.fault({ operation: "models.list", status: 429 });
  await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  server.fault({ operation: "models.list", status: 503 });
  await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
  const training = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
  await expect(
    training.chat.completions.create({ model, messages: [] as never, temperature: "hot" as never }),
  ).rejects.toBeInstanceOf(OpenAI.UnprocessableEntityError);
});
