import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { demo, failure, rejection } from "../../test/answering.ts";
import * as errors from "./index.ts";

const answer = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers });

async function thrown(response: Response): Promise<unknown> {
  const { client } = demo([response], { maxRetries: 0 });
  return rejection(client.models.get("m1"));
}

describe("errors: the tree", () => {
  it.each([
    [400, errors.BadRequestError],
    [401, errors.UnauthorizedError],
    [402, errors.PaymentRequiredError],
    [403, errors.ForbiddenError],
    [404, errors.NotFoundError],
    [409, errors.ConflictError],
    [413, errors.ContentTooLargeError],
    [422, errors.UnprocessableError],
    [429, errors.RateLimitError],
    [500, errors.ServerError],
    [503, errors.ServerError],
    [599, errors.ServerError],
    [405, errors.ApiError],
    [304, errors.ApiError],
  ])("makes of %i its class", async (status, expected) => {
    const error = await thrown(new Response(null, { status }));
    expect(Object.getPrototypeOf(error)).toBe(expected.prototype);
    expect(error).toBeInstanceOf(errors.ApiError);
    expect(error).toBeInstanceOf(errors.TrainyardError);
    expect(error).toBeInstanceOf(Error);
  });

  it("names each class as it is exported, as a literal that minifying leaves", () => {
    for (const [name, type] of Object.entries(errors)) expect(Reflect.get(type.prototype, "name")).toBe(name);
  });

  it("has the name in the first line of the stack, and not among the enumerable members", async () => {
    const error = await thrown(answer(404, "{}"));
    expect(error).toMatchObject({ stack: expect.stringMatching(/^NotFoundError: models\.get: answered 404/) });
    expect(Object.keys(Object(error))).not.toContain("name");
  });

  it("distinguishes siblings, and the base class from a subclass", async () => {
    const error = await thrown(answer(404, "{}"));
    expect(error).not.toBeInstanceOf(errors.ConflictError);
    expect(error).not.toBeInstanceOf(errors.ConnectionError);
    expect(new errors.TrainyardError("x")).not.toBeInstanceOf(errors.ApiError);
    for (const value of [
      null,
      undefined,
      1,
      "NotFoundError",
      {},
      { name: "NotFoundError" },
      new Error("x"),
      new DOMException("x", "AbortError"),
    ])
      expect(value instanceof errors.TrainyardError).toBe(false);
  });

  it("knows the errors of another copy of this package", async () => {
    vi.resetModules();
    const copy = await import("./index.ts");
    expect(copy.NotFoundError).not.toBe(errors.NotFoundError);
    const error = await thrown(answer(404, "{}"));
    expect(error instanceof copy.NotFoundError).toBe(true);
    expect(error instanceof copy.ApiError).toBe(true);
    expect(error instanceof copy.TrainyardError).toBe(true);
    expect(error instanceof copy.ConflictError).toBe(false);
    expect(new copy.TimeoutError("x") instanceof errors.TimeoutError).toBe(true);
  });

  it("does not match a program's own subclass with all errors", async () => {
    class Own extends errors.ApiError {}
    expect((await thrown(answer(404, "{}"))) instanceof Own).toBe(false);
  });
});

describe("errors: what they carry", () => {
  it("has status, headers, body, request id, operation and attempts", async () => {
    const body = { detail: "no such model", more: 1 };
    const error = await thrown(answer(404, JSON.stringify(body), { "x-request-id": "r-1", "x-more": "2" }));
    if (!(error instanceof errors.ApiError)) throw error;
    expect(error).toMatchObject({
      status: 404,
      requestId: "r-1",
      operation: "models.get",
      attempts: 1,
      outcomeUnknown: false,
    });
    expect(error.headers.get("x-more")).toBe("2");
    expect(error.body).toEqual(body);
  });

  it.each([
    ["detail", { detail: "no such model" }, "no such model"],
    ["error.message", { error: { message: "bad value", code: "invalid_value" } }, "bad value"],
    ["error", { error: "bad value" }, "bad value"],
    ["message", { object: "error", message: "no such model", code: 404 }, "no such model"],
    ["reason", { reason: "Obj a:v1 not found" }, "Obj a:v1 not found"],
  ])("takes its message from %s", async (_, body, message) => {
    expect(await thrown(answer(404, JSON.stringify(body)))).toMatchObject({
      message: `models.get: answered 404: ${message}`,
    });
  });

  it("lets no character of a service's message steer a terminal or begin a line", async () => {
    const detail = "no\u001b[31m such\r\nmodel\u0085\u2028 \u0000here";
    expect(await thrown(answer(404, JSON.stringify({ detail })))).toMatchObject({
      message: "models.get: answered 404: no [31m such model   here",
    });
  });

  it("cuts a message that is too long to read", async () => {
    expect(String(await thrown(answer(404, JSON.stringify({ detail: "x".repeat(9999) }))))).toHaveLength(
      "NotFoundError: models.get: answered 404: ".length + 500,
    );
  });

  it.each([
    ["HTML", "<html>Bad gateway</html>", "<html>Bad gateway</html>"],
    ["nothing", "", undefined],
    ["null", "null", null],
    ["an empty string", '""', ""],
    ["a list", "[1]", [1]],
    ["a body of other members", '{"error": null}', { error: null }],
  ])("is thrown with the body %s", async (_, text, body) => {
    const error = await thrown(answer(502, text));
    expect(error).toBeInstanceOf(errors.ServerError);
    const kind = body === text && text ? ": text/plain, 24 bytes" : "";
    expect(error).toMatchObject({ body, message: `models.get: answered 502${kind}` });
  });

  it("names the first issue of a 422, and has them all", async () => {
    const issues = [
      { loc: ["body", "groups", 0, "reward"], msg: "Field required", type: "missing", input: {} },
      { loc: ["body", "split"], msg: "Field required", type: "missing" },
    ];
    const error = await thrown(answer(422, JSON.stringify({ detail: issues })));
    if (!(error instanceof errors.UnprocessableError)) throw error;
    expect(error.message).toBe("models.get: answered 422: body.groups.0.reward: Field required (and 1 more)");
    expect(error.issues).toEqual(issues);
  });

  it.each(["{}", '{"detail": "x"}', '{"detail": [1, {}, {"loc": []}]}', "[]", "null", ""])(
    "has no issues if a 422 names none: %s",
    async (text) => {
      expect(await thrown(answer(422, text))).toMatchObject({ issues: [] });
    },
  );

  it("has retryAfterMs on 429 and 503", async () => {
    for (const status of [429, 503])
      expect(await thrown(answer(status, "{}", { "retry-after": "7" }))).toMatchObject({ retryAfterMs: 7000 });
  });

  it.each([
    ["ECONNREFUSED", "no connection to"],
    ["ECONNRESET", "no response from"],
  ])("says at which stage a connection failed, and has its code and cause: %s", async (code, what) => {
    const cause = failure(code);
    const { client } = demo([cause], { maxRetries: 0 });
    const error = await rejection(client.models.get("my id"));
    expect(error).toBeInstanceOf(errors.ConnectionError);
    expect(error).toMatchObject({
      message: `models.get: ${what} http://demo.test (${code})`,
      code,
      cause,
    });
  });

  it("has the code of the service", async () => {
    expect(await thrown(answer(404, '{"error":{"message":"no","code":"model_not_found"}}'))).toMatchObject({
      code: "model_not_found",
    });
    expect(await thrown(answer(404, '{"message":"no","code":404}'))).toMatchObject({ code: undefined });
  });

  it("serializes to JSON without anything from the request or response bodies", async () => {
    const detail = [{ loc: ["body", "name"], msg: "Field required", type: "missing", input: "my words" }];
    const error = await thrown(answer(422, JSON.stringify({ detail }), { "x-request-id": "r-1" }));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "UnprocessableError",
      message: "models.get: answered 422: body.name: Field required",
      operation: "models.get",
      attempts: 1,
      outcomeUnknown: false,
      status: 422,
      requestId: "r-1",
      issues: [{ loc: ["body", "name"], msg: "Field required", type: "missing" }],
    });
    const limited = await thrown(answer(429, '{"detail":"no"}', { "retry-after": "90" }));
    expect(JSON.parse(JSON.stringify(limited))).toMatchObject({ name: "RateLimitError", retryAfterMs: 90_000 });
  });

  it("shows neither headers nor body, which may repeat what was sent", async () => {
    const error = await thrown(answer(404, '{"detail": "gone", "prompt": "my words"}', { "set-cookie": "cookie-1" }));
    for (const text of [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)]) {
      expect(text).not.toContain("my words");
      expect(text).not.toContain("cookie-1");
    }
  });
});

describe("errors: a 200 that is not JSON", () => {
  it("is not retried, and sets outcomeUnknown if a retry is unsafe", async () => {
    const { client, sent } = demo([answer(200, "<html>")]);
    expect(await rejection(client.check())).toMatchObject({ name: "DecodeError", outcomeUnknown: true });
    expect(sent).toHaveLength(1);
  });
});
