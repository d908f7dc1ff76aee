import { describe, expect, it } from "vitest";
import { demo, failure, rejection } from "../test/answering.ts";
import { passing } from "../test/clock.ts";
import { TimeoutError } from "./errors/index.ts";
import type { Middleware, MiddlewareContext } from "./middleware.ts";

describe("middleware", () => {
  it("wraps each attempt, the client's outside the call's, the first outermost", async () => {
    const steps: string[] = [];
    const around =
      (name: string): Middleware =>
      async (request, next) => {
        steps.push(`${name} in`);
        const response = await next(request);
        steps.push(`${name} out ${response.status}`);
        return response;
      };
    const { client } = demo([503, 200], { middleware: [around("a"), around("b")] });
    await passing(() => client.models.get("m1", { middleware: [around("c")] }));
    const once = (status: number): string[] => [
      "a in",
      "b in",
      "c in",
      `c out ${status}`,
      `b out ${status}`,
      `a out ${status}`,
    ];
    expect(steps).toEqual([...once(503), ...once(200)]);
  });

  it("receives operation, attempt and path parameters, for methods and for calls by path", async () => {
    const contexts: MiddlewareContext[] = [];
    const watch: Middleware = (request, next, context) => {
      contexts.push(context);
      return next(request);
    };
    const { client, http } = demo([503, 200], { middleware: [watch] });
    await passing(() =>
      Promise.all([
        client.models.get("m 1"),
        http.GET("/v1/models/{model_id}", { params: { path: { model_id: "m2" } } }),
      ]),
    );
    expect(
      contexts.map(({ name, attempt, pathParams, operation }) => [name, attempt, pathParams, operation.path]),
    ).toEqual([
      ["models.get", 1, { model_id: "m 1" }, "/v1/models/{model_id}"],
      ["models.get", 1, { model_id: "m2" }, "/v1/models/{model_id}"],
      ["models.get", 2, { model_id: "m 1" }, "/v1/models/{model_id}"],
    ]);
  });

  it("fails with a clear error if it returns no response", async () => {
    const forgetful: Middleware = async (request, next) => {
      await next(request);
      return undefined as unknown as Response;
    };
    const { client, sent } = demo([200], { middleware: [forgetful] });
    expect(await rejection(client.models.get("m1"))).toMatchObject({
      name: "ConfigurationError",
      message: "models.get: a middleware did not return a response",
      attempts: 1,
    });
    expect(sent).toHaveLength(1);
  });

  it("that locks the body is told so, without a retry", async () => {
    const locking: Middleware = async (request, next) => {
      const response = await next(request);
      response.body?.getReader();
      return response;
    };
    const { client, sent } = demo([200], { middleware: [locking] });
    expect(await passing(() => rejection(client.models.get("m1")))).toMatchObject({
      name: "TrainyardError",
      message: "models.get: cannot read the body from http://demo.test",
      attempts: 1,
    });
    expect(sent).toHaveLength(1);
  });

  it.each([200, 404])("that reads the body of a %i is told so, without a retry", async (status) => {
    const reading: Middleware = async (request, next) => {
      const response = await next(request);
      await response.json();
      return response;
    };
    const { client, http, sent } = demo([status], { middleware: [reading] });
    for (const call of [
      client.models.get("m1"),
      http.GET("/v1/models/{model_id}", { params: { path: { model_id: "m1" } } }),
    ])
      expect(await rejection(call)).toMatchObject({
        name: "ConfigurationError",
        message: "models.get: a middleware or `fetch` read the body, not a clone",
        attempts: 1,
        status,
      });
    expect(sent).toHaveLength(2);
  });

  it.each([
    ["TypeError: terminated", new TypeError("terminated"), 3],
    ["a workerd that lost it", new Error("Network connection lost."), 3],
    ["a code", Object.assign(new Error("aborted"), { code: "ECONNRESET" }), 3],
    ["a text that is too long", Object.assign(new Error("long"), { code: "ERR_STRING_TOO_LONG" }), 1],
    ["a text that is too long, of Deno", new RangeError("string too long"), 1],
    ["an error of the program", new Error("mine"), 1],
  ])("retries a body that breaks only if the network broke it: %s", async (_, cause, attempts) => {
    const broken = (): Response => new Response(new ReadableStream({ pull: (body) => body.error(cause) }));
    const { client, sent } = demo([broken]);
    const error = await passing(() => rejection(client.models.get("m1")));
    expect(error).toMatchObject({ name: attempts > 1 ? "ConnectionError" : "TrainyardError", attempts, cause });
    expect(String(error)).toContain(
      attempts > 1 ? "lost the connection to http://demo.test" : "cannot read the body from http://demo.test",
    );
    expect(sent).toHaveLength(attempts);
  });

  it("can change a request, starting from the original at each attempt", async () => {
    const add: Middleware = (request, next) => {
      const headers = new Headers(request.headers);
      headers.append("x-trace", "t");
      return next({ ...request, headers, url: `${request.url}?trace=1` });
    };
    const { client, sent } = demo([503, 200], { middleware: [add] });
    await passing(() => client.models.get("m1"));
    for (const { url, headers } of sent) {
      expect(url).toBe("http://demo.test/v1/models/m1?trace=1");
      expect(headers["x-trace"]).toBe("t");
      expect(headers.authorization).toBe("Bearer key-of-the-demo");
    }
  });

  it("can respond itself, and its response is treated like the service's", async () => {
    const { client, sent } = demo([200], { middleware: [async () => Response.json({ id: "cached" })] });
    expect(await client.models.get("m1")).toEqual({ id: "cached" });
    expect(sent).toHaveLength(0);
  });

  it("ends the call if it throws, without a retry", async () => {
    const oops = new TypeError("oops");
    const { client, sent } = demo([200], { middleware: [() => Promise.reject(oops)] });
    const wrapped = { name: "TrainyardError", message: "models.get: a middleware failed", cause: oops, attempts: 0 };
    expect(await rejection(client.models.get("m1"))).toMatchObject(wrapped);
    const sync = demo([200], {
      middleware: [
        () => {
          throw oops;
        },
      ],
    });
    expect(await rejection(sync.client.models.get("m1"))).toMatchObject(wrapped);
    expect(sent).toHaveLength(0);
    const after: Middleware = async (request, next) => Promise.reject(await next(request));
    expect(await rejection(demo([200], { middleware: [after] }).client.check())).toMatchObject({
      attempts: 1,
      outcomeUnknown: true,
    });
    const own = new TimeoutError("x");
    expect(await rejection(demo([200], { middleware: [() => Promise.reject(own)] }).client.check())).toBe(own);
  });

  it("receives a failed connection as its error", async () => {
    const seen: unknown[] = [];
    const watch: Middleware = async (request, next) => {
      try {
        return await next(request);
      } catch (error) {
        seen.push(error);
        throw error;
      }
    };
    const { client } = demo([failure("ECONNRESET"), 200], { middleware: [watch] });
    await passing(() => client.models.get("m1"));
    expect(seen).toMatchObject([{ name: "ConnectionError", operation: "models.get" }]);
  });
});
