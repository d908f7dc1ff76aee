import { cp, mkdir, mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { createInferenceClient, type ChatCompletion, type InferenceClient } from "@trainyard/inference";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, smallModel } from "../../test/lib.ts";
import { writeCheckpoint } from "../checkpoint/checkpoint.ts";
import { render, renderPrompt } from "../model/conversation.ts";
import { inThread } from "./in-thread.ts";
import { serveTiny, type TinyServer } from "./serve-tiny.ts";
import { TinyChat } from "./tiny-chat.ts";

let checkpoints = "";
let tiny: TinyServer;
let inference: InferenceClient;

beforeAll(async () => {
  checkpoints = await mkdtemp(join(tmpdir(), "tiny-"));
  tiny = await serveTiny({ port: 0, checkpoints });
  inference = createInferenceClient({ baseUrl: tiny.url, apiKey: "any", maxRetries: 0 });
});
afterAll(async () => {
  await tiny.close();
  await rm(checkpoints, { recursive: true, force: true });
});

const question = { model: "demo/tiny", messages: ask("Is the train late?"), seed: 7 };

const headers = { "Content-Type": "application/json" };

/** Sends a request to the chat server itself, with what the local server would not let through. */
async function post(body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${tiny.url}/chat/completions`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const contentOf = (completion: ChatCompletion) => completion.choices.map(({ message }) => message.content);

it("returns the same text for the same seed", async () => {
  const request = { ...question, n: 3, logprobs: true, top_logprobs: 5, temperature: 1.2, top_p: 0.9 };
  const first = await inference.chat.completions.create(request);
  const second = await inference.chat.completions.create(request);
  expect(contentOf(second)).toEqual(contentOf(first));
  expect(first.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect((await inference.models.list()).data.map(({ id }) => id)).toEqual(["demo/tiny"]);
});

it("returns the tokens of the answer with their probabilities, the end included, and counts them", async () => {
  const { choices, usage } = await inference.chat.completions.create({ ...question, logprobs: true, top_logprobs: 2 });
  const [choice] = choices;
  const entries = choice?.logprobs?.content ?? [];
  expect(entries.map(({ token }) => token).join("")).toBe(choice?.message.content);
  expect(entries.at(-1)).toMatchObject({ token: "", bytes: null });
  expect(entries.every(({ logprob, top_logprobs: top }) => logprob <= 0 && top.length === 2)).toBe(true);
  const prompt = renderPrompt(question.messages).length;
  expect(usage).toMatchObject({
    prompt_tokens: prompt,
    completion_tokens: entries.length,
    total_tokens: prompt + entries.length,
  });
  // What a program keeps of it in a trajectory says exactly what was sampled.
  const { answers } = render([...question.messages, choice]);
  expect([...(answers[0]?.logprobs ?? [])]).toEqual(entries.map(({ logprob }) => logprob));
});

it("streams the pieces of the same answer", async () => {
  for (const extra of [{}, { n: 2, logprobs: true, top_logprobs: 1 }, { stop: ["e", "maybe"] }, { max_tokens: 2 }]) {
    const request = { ...question, messages: ask("Where?"), ...extra };
    const whole = await inference.chat.completions.create(request);
    const stream = await inference.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    for await (const { choices } of stream)
      for (const { index, delta } of choices) pieces[index] = (pieces[index] ?? "") + (delta.content ?? "");
    expect(pieces).toEqual(contentOf(whole));
    const { choices, usage } = await stream.final();
    expect(usage).toEqual(whole.usage);
    expect(choices.map((choice) => [choice.finish_reason, choice.logprobs?.content])).toEqual(
      whole.choices.map((choice) => [choice.finish_reason, choice.logprobs?.content]),
    );
  }
});

it("writes a character once its last byte is sampled", async () => {
  await keep("umlauts", 1);
  const request = {
    model: nameOf("umlauts", 1),
    messages: ask("Where?"),
    temperature: 0,
    stream: true,
    logprobs: true,
  };
  const response = await fetch(`${tiny.url}/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify(request),
  });
  const text = "Grüße, 駅 und 🚂!";
  const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "");
  expect(frames.pop()).toBe("data: [DONE]");
  const choices = frames.map((frame) => JSON.parse(frame.slice("data: ".length)).choices[0]);
  expect(choices.map(({ delta }) => delta.content ?? "").join("")).toBe(text);
  for (const { delta } of choices) expect(delta.content ?? "").not.toContain("\u{fffd}");
  const bytes = choices.flatMap(
    ({ logprobs }) => logprobs?.content.flatMap((entry: { bytes: number[] | null }) => entry.bytes ?? []) ?? [],
  );
  expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(text);
  const short = await post({ ...request, stream: false, max_tokens: 3 });
  expect(short.body).toMatchObject({ choices: [{ finish_reason: "length", message: { content: "Gr\u{fffd}" } }] });
});

it("answers with text after the result of a tool, and never with an empty one", async () => {
  const tools = [{ type: "function" as const, function: { name: "find" } }];
  const call = { id: "1", type: "function" as const, function: { name: "find", arguments: "{}" } };
  const answered = [
    ...ask("Where is it?"),
    { role: "assistant" as const, tool_calls: [call] },
    { role: "tool" as const, tool_call_id: "1", content: "" },
  ];
  // As hot as it may be, an answer often ends before it has begun.
  const request = { ...question, messages: answered, tools, temperature: 2, max_tokens: 20, n: 64 };
  const contents = contentOf(await inference.chat.completions.create(request));
  expect(contents.filter((text) => !/^[A-Za-z0-9]/.test(text ?? ""))).toEqual([]);
});

it("makes the texts that are requested, whatever the schema, and says how probable they are", async () => {
  const answerTo = async (schema: object, extra: object = {}) => {
    const json_schema = { name: "own", schema: { ...schema } };
    const response_format = { type: "json_schema" as const, json_schema };
    return inference.chat.completions.create({ ...question, logprobs: true, response_format, ...extra });
  };
  const slow = { type: "string", pattern: "^(a+)+$" };
  const station = { type: "string", examples: ["Voss", "Finse"] };
  const schema = { type: "object", properties: { slow, station, late: { type: "boolean" } }, required: ["slow"] };
  const { choices } = await answerTo(schema, { n: 32, temperature: 2 });
  const contents = choices.map(({ message }) => message.content ?? "");
  // The model chooses among them.
  expect(new Set(contents)).toEqual(
    new Set(
      ["Voss", "Finse"].flatMap((one) => [true, false].map((late) => `{"slow":"a","station":"${one}","late":${late}}`)),
    ),
  );
  for (const { message, logprobs } of choices) {
    const written = logprobs?.content?.map(({ token }) => token).join("");
    expect([written, logprobs?.content?.at(-1)]).toEqual([message.content, expect.objectContaining({ bytes: null })]);
  }
  const sizes = { required: ["short"], properties: { short: { const: 1 }, long: { const: "a".repeat(1000) } } };
  expect(contentOf(await answerTo(sizes))).toEqual(['{"short":1}']);
  expect(contentOf(await answerTo(schema))).toEqual(contentOf(await answerTo(schema)));
});

it("answers many requests at once as it answers each alone", async () => {
  const requests = Array.from({ length: 64 }, (_, seed) => ({ ...question, temperature: 2, max_tokens: 200, seed }));
  const together = await Promise.all(requests.map((request) => inference.chat.completions.create(request)));
  for (const index of [0, 31, 63]) {
    const alone = await inference.chat.completions.create(requests[index] ?? question);
    expect(contentOf(together[index] ?? alone)).toEqual(contentOf(alone));
  }
  expect(new Set(together.flatMap(contentOf)).size).toBeGreaterThan(10);
});

it("does not use a deleted checkpoint, and uses a new one of the same name", async () => {
  await keep("first", 2);
  const request = { ...question, model: nameOf("first", 2) };
  expect(await post(request)).toMatchObject({ status: 200 });
  await rm(join(checkpoints, "first"), { recursive: true });
  expect(await post(request)).toMatchObject({
    status: 404,
    body: { error: { code: "model_not_found", param: "model" } },
  });
  await keep("first", 2);
  await cp(join(checkpoints, "first"), join(checkpoints, "second"), { recursive: true });
  await rm(join(checkpoints, "first"), { recursive: true });
  expect(await post(request)).toMatchObject({ status: 200 });
});

it("names a damaged checkpoint", async () => {
  await keep("broken", 5);
  await truncate(join(checkpoints, "broken", "step5", "weights.f32"), 100);
  const { status, body } = await post({ ...question, model: nameOf("broken", 5) });
  expect(status).toBe(500);
  expect(body).toMatchObject({ error: { code: "checkpoint_damaged", message: expect.stringContaining("step5") } });
});

it("rejects what it does not support, by the field", async () => {
  const cases: [object, string][] = [
    [{ temperature: 3 }, "temperature"],
    [{ stop: [5] }, "stop[0]"],
    [{ top_logprobs: 2 }, "top_logprobs"],
    [{ logprobs: true, top_logprobs: 21 }, "top_logprobs"],
    [{ logit_bias: { 257: 1 } }, "logit_bias.257"],
    [{ logit_bias: { 65: 101 } }, "logit_bias.65"],
    [{ tool_choice: "required" }, "tool_choice"],
    [
      {
        tools: [
          {
            type: "custom",
            custom: { name: "a", format: { type: "grammar", grammar: { definition: "a+", syntax: "regex" } } },
          },
        ],
      },
      "tools[0].custom.format",
    ],
    [{ n: 128, logprobs: true, top_logprobs: 1 }, "n"],
    [
      {
        response_format: {
          type: "json_schema",
          json_schema: { name: "a", schema: { properties: { b: false, c: { type: "none" } }, required: ["c"] } },
        },
      },
      "response_format.json_schema.schema.properties.c",
    ],
    [
      { tools: [{ type: "function", function: { name: "a", parameters: { required: ["b"], minProperties: 1e9 } } }] },
      "tools[0].function.parameters",
    ],
  ];
  for (const [change, param] of cases) {
    const { status, body } = await post({ ...question, ...change });
    expect([status, isObject(body) && isObject(body["error"]) && body["error"]["param"]]).toEqual([400, param]);
  }
  expect(await post("{")).toMatchObject({ status: 400, body: { error: { code: "json_invalid" } } });
  expect(await post([])).toMatchObject({ status: 400 });
  for (const model of ["other/model", "artifact:///a/b/c", "artifact:///a/b/c:step7", "artifact:///../b/c:step1"]) {
    expect(await post({ ...question, model })).toMatchObject({ status: 404, body: { error: { param: "model" } } });
  }
  expect((await fetch(`${tiny.url}/nowhere`)).status).toBe(404);
});

it("treats null as missing, and ignores what it does not use", async () => {
  const nothing = {
    temperature: null,
    top_p: null,
    n: null,
    stop: null,
    logprobs: null,
    top_logprobs: null,
    logit_bias: null,
  };
  const plain = await post(question);
  const { choices } = Object(plain.body);
  expect(await post({ ...question, ...nothing, user: "me" })).toMatchObject({
    body: { choices },
  });
});

it("answers other requests if a caller stops reading", async () => {
  const controller = new AbortController();
  const response = await fetch(`${tiny.url}/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...question, n: 128, temperature: 2, stream: true }),
    signal: controller.signal,
  });
  const reader = response.body?.getReader();
  await reader?.read();
  controller.abort();
  await expect(reader?.read()).rejects.toMatchObject({ name: "AbortError" });
  expect(await post(question)).toMatchObject({ status: 200 });
});

it("samples only a little ahead of the reader", { tags: ["long"] }, async () => {
  const chat = new TinyChat(inThread());
  const request = { ...question, n: 128, temperature: 2, stream: true };
  const answer = await chat.complete(request, new AbortController().signal);
  if (!("stream" in answer)) throw new Error("It is no stream.");
  const reader = answer.stream.getReader();
  const first = await reader.read();
  // Of 131,072 tokens, what comes within a few milliseconds.
  expect(new TextDecoder().decode(first.value).split("\n\n").length).toBeLessThan(20_000);
  await reader.cancel();
  await chat.close();
});

const small = smallModel();
let kept = 0;
const names = { entity: "harbor", project: "support-desk" };
const nameOf = (model: string, step: number) => `artifact:///harbor/support-desk/${model}:step${step}`;

/** Writes a checkpoint where the local server would keep it. */
async function keep(name: string, step: number): Promise<void> {
  const directory = join(checkpoints, name, `step${step}`);
  await mkdir(directory, { recursive: true });
  const model = small.clone();
  // No two of them have the same weights.
  model.weights[0]! -= ++kept / 1e3;
  await writeCheckpoint(directory, model, { model: { ...names, name }, step, base_model: "demo/tiny" });
}
