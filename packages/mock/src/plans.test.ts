import { createInferenceClient } from "@trainyard/inference";
import {
  createTrainingClient,
  UnprocessableError,
  type CallOptions,
  type ChatMessage,
  type Checkpoint,
  type Page,
} from "@trainyard/training";
import { readDocument } from "@trainyard/document";
import { validatorOf } from "@trainyard/host";
import { describe, expect, expectTypeOf, it } from "vitest";
import { documentOf } from "./services.ts";
import { useMock } from "./vitest.ts";

const mock = useMock("inference");
const inference = createInferenceClient({ ...mock.connect(), maxRetries: 0 });
const training = useMock("training");
const trainer = createTrainingClient({ ...training.connect(), maxRetries: 0 });

const messages: ChatMessage[] = [{ role: "user", content: "When does the next train leave Voss?" }];
const question = { model: "demo/tiny", messages };
const newModel = { project: "demo", name: "agent-1", base_model: "demo/tiny" };
// From the document's example, so that it includes fields that the contract adds.
const model = await trainer.models.create(newModel);

describe("a chat", () => {
  it("is planned as the model's text, and sent as a stream or as one answer", async () => {
    for (let index = 0; index < 2; index++) mock.once("chat.completions.create", { chunks: ["Hel", "lo"] });
    const stream = await inference.chat.completions.create({ ...question, stream: true });
    const pieces: unknown[] = [];
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content);
    expect(pieces).toEqual(["Hel", "lo", undefined]);
    const streamed = await stream.final();
    const whole = await inference.chat.completions.create(question);
    for (const answer of [streamed, whole]) {
      expect(answer).toMatchObject({ model: "demo/tiny", object: "chat.completion" });
      expect(answer.choices).toEqual([
        {
          index: 0,
          logprobs: null,
          finish_reason: "stop",
          message: { role: "assistant", content: "Hello", refusal: null },
        },
      ]);
    }
    expect(whole.usage).toEqual({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 });
  });

  it("calls tools, after its text", async () => {
    const plan = { chunks: ["Let me look."], toolCalls: [{ name: "departures", arguments: { station: "Voss" } }] };
    for (let index = 0; index < 2; index++) mock.once("chat.completions.create", plan);
    const stream = await inference.chat.completions.create({ ...question, stream: true });
    const whole = await inference.chat.completions.create(question);
    for (const { choices } of [await stream.final(), whole]) {
      expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "Let me look." } });
      expect(choices[0]?.message.tool_calls).toEqual([
        { id: "call_1", type: "function", function: { name: "departures", arguments: '{"station":"Voss"}' } },
      ]);
    }
  });

  it("includes usage, log probabilities and a finish reason on request", async () => {
    mock.once("chat.completions.create", { chunks: ["Hel", "lo"], finishReason: "length" });
    const stream = await inference.chat.completions.create({
      ...question,
      stream: true,
      logprobs: true,
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.final();
    expect(choices[0]?.finish_reason).toBe("length");
    expect(choices[0]?.logprobs?.content?.map(({ token, logprob }) => [token, logprob])).toEqual([
      ["Hel", 0],
      ["lo", 0],
    ]);
    expect(usage).toMatchObject({ completion_tokens: 2 });
  });

  const chunks = ["Hel", "lo"];
  const error = { after: 1, message: "over quota", code: "rate_limit_exceeded" };

  it.each<[object, CallOptions, object]>([
    [{ chunks, cutAfter: 1 }, {}, { name: "StreamError" }],
    [{ chunks, error }, {}, { message: expect.stringContaining("over quota") }],
    [{ error }, {}, { message: expect.stringContaining("over quota") }],
    [{ chunks, chunkDelayMs: 600_000 }, { timeoutMs: 50 }, { name: "TimeoutError" }],
  ])("ends after its first chunk as planned: %j", async (plan, options, expected) => {
    mock.once("chat.completions.create", plan);
    const stream = await inference.chat.completions.create({ ...question, stream: true }, options);
    let seen = 0;
    await expect(async () => {
      for await (const _ of stream) seen++;
    }).rejects.toMatchObject(expected);
    expect(seen).toBe(1);
  });

  it("reports an error in place of an answer", async () => {
    mock.once("chat.completions.create", { error });
    const { baseUrl, fetch } = mock.connect();
    const headers = { authorization: "Bearer a-key", "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(question) };
    const whole = await fetch(`${baseUrl}/chat/completions`, request);
    const { after: _, ...reported } = error;
    expect([whole.status, await whole.json()]).toEqual([200, { error: reported }]);
  });

  it("has the planned usage, and the tokens that the plan leaves out", async () => {
    mock.once("chat.completions.create", { chunks: ["Hi"], usage: { prompt_tokens: 40 } });
    const { usage } = await inference.chat.completions.create(question);
    expect(usage).toEqual({ prompt_tokens: 40, completion_tokens: 1, total_tokens: 41 });
  });

  it.each([{ chunks: ["Hel", "lo"] }, { toolCalls: [{ name: "f" }] }, undefined])(
    "has as many choices as the request asks for, whose chunks alternate: %j",
    async (plan) => {
      for (const n of [1, 2, 3, 5]) {
        const ask = { ...question, n };
        if (plan) for (let index = 0; index < 2; index++) mock.once("chat.completions.create", plan);
        const whole = await inference.chat.completions.create(ask);
        const stream = await inference.chat.completions.create({ ...ask, stream: true });
        const order: number[] = [];
        for await (const { choices } of stream) order.push(...choices.map(({ index }) => index));
        const indexes = [...Array(n).keys()];
        expect(order.slice(0, 2 * n)).toEqual([...indexes, ...indexes]);
        for (const { choices } of [whole, await stream.final()]) {
          expect(choices.map(({ index }) => index)).toEqual(indexes);
          if (plan) expect(new Set(choices.map(({ message }) => JSON.stringify(message))).size).toBe(1);
        }
      }
    },
  );

  it("accepts whole chunks, and invalid ones if unchecked", async () => {
    const chunk = { id: "c", object: "chat.completion.chunk" as const, created: 1, model: "m" };
    const choice = { index: 0, delta: { content: "Hi" }, finish_reason: "stop" as const };
    mock.once("chat.completions.create", { chunks: [{ ...chunk, choices: [choice] }] });
    const stream = await inference.chat.completions.create({ ...question, stream: true });
    expect((await stream.final()).choices[0]?.message.content).toBe("Hi");
    mock.once("chat.completions.create", { chunks: [{ ...chunk, choices: [choice] }, "{half"], unchecked: true });
    const broken = await inference.chat.completions.create({ ...question, stream: true });
    await expect(broken.final()).rejects.toMatchObject({ name: "StreamError" });
  });

  it("always matches the contract", () => {
    const document = readDocument(documentOf("inference"));
    const validator = validatorOf(document.root);
    const operation = document.operations.find(({ name }) => name === "chat.completions.create");
    if (operation === undefined) throw new Error("The document has no chat.");
    const judge = (mediaType: string, value: unknown) => validator.answer(operation, 200, mediaType, value);
    const plans = [
      { chunks: ["Hel", "lo"] },
      { toolCalls: [{ name: "f" }, { name: "g", arguments: "[1", id: "c2" }] },
      { chunks: [], finishReason: "content_filter" as const, usage: { total_tokens: 9 } },
      {},
    ];
    return Promise.all(
      plans.map(async (plan) => {
        for (const stream of [true, false]) {
          mock.once("chat.completions.create", plan);
          const { baseUrl, apiKey, fetch } = mock.connect();
          const body = { ...question, n: 3, stream, logprobs: true, stream_options: { include_usage: true } };
          const response = await fetch(`${baseUrl}/chat/completions`, {
            method: "POST",
            headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
            body: JSON.stringify({ ...body, ...(stream ? {} : { stream_options: undefined }) }),
          });
          const text = await response.text();
          expect(response.headers.get("content-type")).toContain(stream ? "text/event-stream" : "application/json");
          if (!stream) expect(judge("application/json", JSON.parse(text))).toEqual([]);
          const data = stream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, one = ""]) => one) : [];
          if (stream) expect(data.pop()).toBe("[DONE]");
          for (const one of data) expect(judge("text/event-stream", JSON.parse(one))).toEqual([]);
        }
      }),
    );
  });
});

describe("a plan", () => {
  it("of a success applies to the next valid request", async () => {
    training.once("models.create", { body: model });
    // @ts-expect-error a project is text
    await expect(trainer.models.create({ ...newModel, project: 5 })).rejects.toBeInstanceOf(UnprocessableError);
    expect(training.pending()).toEqual([{ operation: "models.create", answer: { body: model } }]);
    expect(await trainer.models.create(newModel)).toEqual(model);
    expect(training.pending()).toEqual([]);
  });

  it("of more items than one page answers page by page, and checks each item", async () => {
    const step = (index: number) => `0d5c8b7a-e19f-4236-a4b8-${String(index).padStart(12, "0")}`;
    const items = Array.from({ length: 45 }, (_, index) => ({ id: step(index), step: index, metrics: {} }));
    training.once("models.checkpoints.list", { items });
    const pages: number[] = [];
    let page: Page<Checkpoint> | undefined = await trainer.models.checkpoints.list(step(0), { limit: 20 });
    for (; page; page = await page.nextPage()) pages.push(page.data.length);
    expect([pages, training.pending()]).toEqual([[20, 20, 5], []]);
    training.on("models.checkpoints.list", () => ({ items }));
    let last = -1;
    for await (const one of trainer.models.checkpoints.list(step(0))) expect(one.step).toBe(++last);
    expect(last).toBe(44);
    // @ts-expect-error a step is a number
    const wrongItem = () => training.once("models.checkpoints.list", { items: [{ ...items[0], step: "1" }] });
    expect(wrongItem).toThrow(/items\[0\]\.step: This must be/);
  });

  it("may have a code that the contract does not list yet, which the client passes through", async () => {
    const body = { error: { message: "Later.", type: null, param: null, code: "line_blocked" } };
    mock.once("chat.completions.create", Object({ status: 429, body }));
    expect(await inference.chat.completions.create(question).catch(Object)).toMatchObject({
      name: "RateLimitError",
      code: "line_blocked",
      body,
    });
  });

  const wrong: [plan: unknown, message: RegExp][] = [
    [undefined, /must be an object like `\{ status: 503 \}`/],
    [{ sttaus: 503 }, /sttaus: This field does not exist\. The fields are: status, /],
    [{ status: 99 }, /status: This must be a status from 200 to 599\./],
    [{ status: 204 }, /status: models\.create declares no response 204\. It declares: 200, 401, .*unchecked: true/],
    [{ headers: { "x y": "1" } }, /headers: This must be an object of headers/],
    [{ delayMs: "5" }, /delayMs: This must be a number from 0\./],
    [{ cutAfter: 1.5 }, /cutAfter: This must be a whole number from 0\./],
    [{ example: "none" }, /example: The response 200 of models\.create has no example "none"\. There are: /],
    [{ body: {} }, /body\.id: .*body\.entity: .*`unchecked: true`/],
    [{ body: "<html>" }, /body: models\.create answers 200 with JSON, but a string is sent unchanged\./],
    [{ status: 422, body: { detail: 5 } }, /body\.detail: /],
    [{ body: model, example: "created" }, /body, example: Only one of them is permitted\./],
    [{ error: { after: 0, message: "m" } }, /error: models\.create has no stream\./],
    [{ chunks: ["a"] }, /chunks: models\.create has no stream\./],
    [{ toolCalls: [{ name: "f" }] }, /toolCalls: models\.create has no stream\./],
  ];
  it.each(wrong)("%j is rejected, with its field and its operation", (plan, message) => {
    const once: (operation: "models.create", plan: never) => void = training.once;
    const plans = () => once("models.create", plan as never);
    expect(plans).toThrow(TypeError);
    expect(plans).toThrow(/^The response planned for models\.create is not valid\. /);
    expect(plans).toThrow(message);
    expect(training.pending()).toEqual([]);
  });

  it.each<[unknown, RegExp]>([
    [{ toolCalls: [{ arguments: {} }] }, /toolCalls: This must be a list of `\{ name, arguments \}`/],
    [{ chunks: ["a"], body: {} }, /body, chunks: Only one of them is permitted\./],
    [{ chunks: ["a"], status: 500 }, /status, chunks: An error has a body\./],
    [{ chunks: ["a"], cutAfter: 2 }, /cutAfter: There are 1 chunks\./],
    [{ chunks: ["a"], error: { after: 2, message: "m" } }, /error\.after: There are 1 chunks\./],
    [{ error: { message: "m" } }, /error: This must be an object like `\{ after: 2, message \}`/],
    [{ usage: { prompt_tokens: -1 } }, /usage: This must be an object of token counts/],
    [{ items: [] }, /items: chat\.completions\.create has no pages\./],
    [{ chunks: ["a", {}] }, /chunks\[0\]: Write either all chunks as text, or all as objects\./],
    [{ chunks: [{ id: 5 }] }, /chunks\[0\]\.object: /],
  ])("of a chat, %j is rejected", (plan, message) => {
    const once: (operation: "chat.completions.create", plan: never) => void = mock.once;
    expect(() => once("chat.completions.create", plan as never)).toThrow(message);
  });

  it("is typed by its operation", () => {
    const none = (): void => {
      // @ts-expect-error unknown property
      training.once("models.create", { body: { ...model, nmae: "agent-1" } });
      // @ts-expect-error a model has a name
      training.once("models.create", { body: { id: "x" } });
      // @ts-expect-error the body is that of the status
      training.once("models.create", { status: 422, body: model });
      // @ts-expect-error not a chat
      training.once("models.create", { chunks: ["a"] });
      // @ts-expect-error no list
      training.once("models.create", { items: [model] });
      expectTypeOf(mock.requests("chat.completions.create")[0]?.body.messages).toEqualTypeOf<
        readonly ChatMessage[] | undefined
      >();
      // @ts-expect-error unknown field
      training.once("models.create", { sttaus: 503 });
      training.once("chat.completions.create", { chunks: ["a"], toolCalls: [{ name: "f" }], cutAfter: 1 });
      training.once("models.create", { status: 502, body: "<html>" });
      training.once("models.create", { body: "<html>", unchecked: true });
      training.on("models.create", ({ body }) => ({ body: { ...model, name: body.name ?? "" } }));
      // @ts-expect-error a model has an id
      training.on("models.create", ({ body }) => ({ body }));
      // @ts-expect-error the body of a 409 differs
      training.on("models.create", ({ body }) => (body.entity ? { status: 409, body: model } : { body: model }));
      // @ts-expect-error a model has an id, even if other requests are rejected
      training.on("models.create", ({ body }) => (body.entity ? { status: 409 } : { body: { ...body } }));
    };
    expect(none).toBeTypeOf("function");
  });
});

describe("a function for an operation", () => {
  it("handles each valid request", async () => {
    training.on("models.create", ({ body, params, operation }) => {
      expectTypeOf(body.project).toBeString();
      expect([params, operation]).toEqual([{}, "models.create"]);
      return { body: { ...model, project: body.project, name: `${body.name}!` } };
    });
    expect((await trainer.models.create(newModel)).name).toBe("agent-1!");
    training.once("models.create", { body: model });
    expect((await trainer.models.create(newModel)).name).toBe("agent-1");
    expect((await trainer.models.create({ ...newModel, project: "other" })).project).toBe("other");
    // @ts-expect-error a project is text
    await expect(trainer.models.create({ ...newModel, project: 5 })).rejects.toBeInstanceOf(UnprocessableError);
  });

  it("rejects one request and answers another", async () => {
    training.on("models.create", ({ body }) => {
      if (body.name === "") return { status: 502, body: "<html>" };
      return body.entity ? { status: 403, body: { detail: "Not yours." } } : { body: model };
    });
    await expect(trainer.models.create({ ...newModel, entity: "lighthouse" })).rejects.toThrow("Not yours.");
    expect(await trainer.models.create(newModel)).toEqual(model);
  });

  it("decides by the messages, and leaves other requests to the mock", async () => {
    mock.on("chat.completions.create", async ({ body }) => {
      const last = body.messages.at(-1);
      if (last?.role === "tool") return { chunks: ["At 9:31."] };
      return body.tools ? { toolCalls: [{ name: "departures" }] } : undefined;
    });
    const tools = [{ type: "function" as const, function: { name: "departures" } }];
    const first = await inference.chat.completions.create({ ...question, tools });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    if (choice === undefined) return;
    const result = { role: "tool" as const, tool_call_id: "call_1", content: "[]" };
    const then = { ...question, tools, messages: [...messages, choice.message, result] };
    expect((await inference.chat.completions.create(then)).choices[0]?.message.content).toBe("At 9:31.");
    const plain = await inference.chat.completions.create(question).withResponse();
    expect(plain.response.headers.get("x-trainyard-example")).toBe("plain");
  });
});
