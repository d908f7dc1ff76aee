import type { Client } from "openapi-fetch";
import { describe, expectTypeOf, it } from "vitest";
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  type Checkpoint,
  createDemoClient,
  createDemoHttp,
  type DemoClient,
  type Model,
  type paths,
} from "../test/demo-client.ts";
import type { ChatChunk, ChatResult } from "./chat/chat-types.ts";
import { pickClient } from "./methods.ts";
import type { Op } from "./sends.ts";
import type { CallOptions } from "./options.ts";
import { isTrainyardError } from "./errors/any-error.ts";
import { ApiError, ConflictError, NotFoundError, TrainyardError, UnprocessableError } from "./errors/index.ts";
import type { ApiPromise, EventStream, Page, PagePromise } from "./result.ts";

const client = createDemoClient();
const http = createDemoHttp();
const chat = client.chat.completions;
const ask = { model: "m", messages: [] };

describe("ApiPromise", () => {
  it("is a promise of the answer, and of the answer with its response", () => {
    const promise = client.models.get("m1");
    expectTypeOf(promise).toEqualTypeOf<ApiPromise<Model>>();
    expectTypeOf<Awaited<typeof promise>>().toEqualTypeOf<Model>();
    expectTypeOf(promise.withResponse()).resolves.toEqualTypeOf<{
      readonly data: Model;
      readonly response: Response;
      readonly requestId: string | undefined;
    }>();
  });

  it("takes an idempotency key only where the operation declares one", () => {
    client.models.create({ name: "n", base_model: "b" }, { idempotencyKey: "k" });
    // @ts-expect-error the operation declares no Idempotency-Key
    client.models.get("m1", { idempotencyKey: "k" });
  });
});

describe("PagePromise", () => {
  it("is a promise of a page and a sequence of items", () => {
    const list = client.models.checkpoints.list("m1", { limit: 2 });
    expectTypeOf(list).toEqualTypeOf<PagePromise<Checkpoint>>();
    expectTypeOf<Awaited<typeof list>>().toEqualTypeOf<Page<Checkpoint>>();
    expectTypeOf(list).toExtend<AsyncIterable<Checkpoint>>();
    expectTypeOf<Awaited<typeof list>>().toExtend<AsyncIterable<Checkpoint>>();
    expectTypeOf<Page<Checkpoint>["data"]>().toEqualTypeOf<Checkpoint[]>();
  });
});

describe("stream decides the result", () => {
  it("by its literal", () => {
    expectTypeOf(chat.create(ask)).resolves.toEqualTypeOf<ChatCompletion>();
    expectTypeOf(chat.create({ ...ask, stream: false })).resolves.toEqualTypeOf<ChatCompletion>();
    expectTypeOf(chat.create({ ...ask, stream: null })).resolves.toEqualTypeOf<ChatCompletion>();
    expectTypeOf(chat.create({ ...ask, stream: true })).resolves.toEqualTypeOf<
      EventStream<ChatCompletionChunk, ChatCompletion>
    >();
  });

  it("and is a union if it is only known to be a boolean", () => {
    const stream = Date.now() > 0;
    expectTypeOf(chat.create({ ...ask, stream })).resolves.toEqualTypeOf<
      ChatCompletion | EventStream<ChatCompletionChunk, ChatCompletion>
    >();
    expectTypeOf<
      EventStream<ChatCompletionChunk, ChatCompletion>["final"]
    >().returns.resolves.toEqualTypeOf<ChatCompletion>();
  });

  it("and `as const` is accepted", () => {
    chat.create({ model: "m", messages: [{ role: "user", content: "x" }], stream: true } as const);
    chat.create(
      // @ts-expect-error a misspelled member, reported once
      { ...ask, temprature: 1 },
    );
  });

  it("by the contract's types: core's fold fits the contract's chunks and completions", () => {
    expectTypeOf<ChatCompletionChunk>().toExtend<ChatChunk>();
    type Reason = ChatCompletion["choices"][0]["finish_reason"];
    expectTypeOf<ChatResult<Reason>>().toExtend<ChatCompletion>();
    expectTypeOf<ChatResult["choices"][0]["message"]>().toExtend<ChatCompletion["choices"][0]["message"]>();
  });
});

describe("http", () => {
  it("narrows by data and by error", async () => {
    const { data, error, response } = await http.POST("/v1/models", {
      body: { name: "n", base_model: "b" },
      timeoutMs: 1,
    });
    expectTypeOf(response).toEqualTypeOf<Response>();
    if (data) expectTypeOf(data).toEqualTypeOf<Model>();
    else expectTypeOf(error).toEqualTypeOf<{ detail: string }>();
    const streamed = await http.POST("/v1/chat/completions", { body: ask });
    expectTypeOf(streamed.data).toEqualTypeOf<ChatCompletion | undefined>();
  });

  it("is a client of openapi-fetch", () => {
    expectTypeOf(http).toEqualTypeOf<Client<paths, "application/json">>();
    const create = { name: "n", base_model: "b" };
    // @ts-expect-error the body is missing
    http.POST("/v1/models");
    // @ts-expect-error the path has no such method
    http.PUT("/v1/models", { body: create });
    http.GET("/v1/check");
  });

  it("types a body by `parseAs`", () => {
    const text = http.GET("/v1/check", { parseAs: "text" });
    expectTypeOf<Awaited<typeof text>["data"]>().toEqualTypeOf<string | undefined>();
    const body = http.GET("/v1/check", { parseAs: "stream" });
    expectTypeOf<Awaited<typeof body>["data"]>().toEqualTypeOf<
      ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined
    >();
  });
});

describe("errors", () => {
  it("are discriminated by their names, and a misspelled one does not compile", () => {
    const error: unknown = undefined;
    if (!isTrainyardError(error)) return;
    switch (error.name) {
      case "UnprocessableError":
        expectTypeOf(error.issues[0]?.loc).toEqualTypeOf<(string | number)[] | undefined>();
        break;
      case "ApiError":
      case "NotFoundError":
        expectTypeOf(error.status).toEqualTypeOf<number>();
        break;
      // @ts-expect-error a misspelled name
      case "NotFuondError":
        break;
      default:
        expectTypeOf(error.code).toEqualTypeOf<string | undefined>();
    }
  });

  it("narrow to each class, without its siblings", () => {
    const error: unknown = undefined;
    if (error instanceof UnprocessableError)
      expectTypeOf(error.issues[0]?.loc).toEqualTypeOf<(string | number)[] | undefined>();
    else if (error instanceof ApiError) {
      if (error instanceof NotFoundError) expectTypeOf(error.name).toEqualTypeOf<"NotFoundError">();
      else if (error instanceof ConflictError) expectTypeOf(error.name).toEqualTypeOf<"ConflictError">();
      else expectTypeOf(error.status).toEqualTypeOf<number>();
    } else if (error instanceof TrainyardError) expectTypeOf(error.outcomeUnknown).toEqualTypeOf<boolean>();
  });
});

describe("pickClient", () => {
  it("has the methods of the operations under the names that they are given", () => {
    type Get = (id: string, options?: CallOptions) => ApiPromise<{ a: 1 }>;
    const get: Op<Get> = { name: "get", method: "GET", path: "/x/{id}" };
    const create: Op<DemoClient["chat"]["completions"]["create"]> = { name: "create", method: "POST", path: "/y" };
    const picked = pickClient({ name: "x", contractVersion: "1", timeout: 60 }, {}, { one: get, two: create });
    expectTypeOf(picked).toEqualTypeOf<{
      readonly one: Get;
      readonly two: DemoClient["chat"]["completions"]["create"];
    }>();
    // @ts-expect-error an operation that was not picked
    picked.get("1");
  });
});
