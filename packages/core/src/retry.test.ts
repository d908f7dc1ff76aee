import { describe, expect, it } from "vitest";
import { type Answering, demo, failure, rejection, type Sent } from "../test/answering.ts";
import { passing, stopClock } from "../test/clock.ts";
import { ConflictError, ConnectionError, NotFoundError, RateLimitError, TrainyardError } from "./errors/index.ts";
import { backoff, mayResend, next } from "./retry.ts";
import type { Method } from "./operation.ts";

const hinted = (status: number, headers: Record<string, string>): Response => new Response("{}", { status, headers });

/** The number of requests that a call sends if these are the responses, whatever its result. */
async function attempts(answers: [Answering, ...Answering[]], call = "get"): Promise<number> {
  const { client, sent } = demo(answers);
  await passing(() => Promise.allSettled([call === "get" ? client.models.get("m1") : client.check()]));
  return sent.length;
}

describe("retry", () => {
  it.each([408, 429, 500, 502, 503, 524])("retries after %i, twice by default, and then throws", async (status) => {
    expect(await attempts([status])).toBe(3);
  });

  it("does not retry after another 4xx", async () => {
    for (let status = 400; status < 500; status++)
      if (status !== 408 && status !== 429) expect([status, await attempts([status])]).toEqual([status, 1]);
  });

  it("returns the answer of the last attempt", async () => {
    const { client } = demo([503, failure("ECONNRESET"), 200]);
    expect(await passing(() => client.models.get("m1"))).toMatchObject({ id: "m1" });
  });

  it("retries as often as the call says, else as the client says", async () => {
    const { client, sent } = demo([500], { maxRetries: 4 });
    await passing(() => rejection(client.models.get("m1", { maxRetries: 0 })));
    expect(sent).toHaveLength(1);
    await passing(() => rejection(client.models.get("m1")));
    expect(sent).toHaveLength(6);
  });

  it("waits 0.5 s, doubled up to 8 s, less a quarter at most", () => {
    for (const [index, full] of [500, 1000, 2000, 4000, 8000, 8000, 8000].entries())
      for (let round = 0; round < 50; round++) {
        const delay = backoff(index + 1);
        expect(delay).toBeLessThanOrEqual(full);
        expect(delay).toBeGreaterThanOrEqual(full * 0.75);
      }
  });

  it.each([
    [true, "GET PUT DELETE OPTIONS HEAD TRACE QUERY"],
    [false, "POST PATCH COPY"],
  ])("may send again (%s) without a word in the document: %s", (expected, methods) => {
    for (const method of methods.split(" "))
      expect(mayResend({ name: "call", method: method as Method, path: "/" }, new Headers(), null)).toBe(expected);
  });

  it("retries a 401 once without counting it, and never beyond the limit of the call", () => {
    const attempt = { number: 1, left: 2, renews: true };
    const response = new Response(null, { status: 401 });
    const second = { number: 2, delayMs: 0, left: 2, renews: false };
    expect(next(attempt, { response }, false, Infinity)).toEqual(second);
    expect(next(second, { response }, true, Infinity)).toBeUndefined();
    const limited = { response: new Response(null, { status: 429 }) };
    expect(next(second, limited, false, Infinity)).toMatchObject({ number: 3, left: 1 });
    expect(next(second, limited, false, 100)).toBeUndefined();
  });

  it("counts attempts on every error, so that a 404 after a retried DELETE can be recognized", async () => {
    const { client } = demo([failure("ECONNRESET"), 404]);
    const error = await passing(() => rejection(client.models.delete("m1")));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ attempts: 2 });
  });

  it("sends the same body and headers again", async () => {
    const { client, sent } = demo([500, 200]);
    await passing(() => client.models.create({ name: "n", base_model: "b" }, { idempotencyKey: "k-1" }));
    expect(sent).toHaveLength(2);
    expect(sent[1]?.headers).toEqual(sent[0]?.headers);
    expect(sent[1]?.init.body).toBe(sent[0]?.init.body);
    expect(sent[0]?.headers["idempotency-key"]).toBe("k-1");
  });

  it("cancels the body that it abandons", async () => {
    let cancelled = 0;
    const endless = (): Response =>
      new Response(
        new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(9)), cancel: () => void cancelled++ }),
        {
          status: 503,
        },
      );
    const { client } = demo([endless, 200]);
    await passing(() => client.models.get("m1"));
    expect(cancelled).toBe(1);
  });
});

describe("hints", () => {
  it.each([
    ["retry-after-ms", { "retry-after-ms": "1500" }, 1500],
    ["Retry-After in seconds", { "retry-after": "2" }, 2000],
    ["Retry-After of 60 s", { "retry-after": "60" }, 60_000],
    ["retry-after-ms before Retry-After", { "retry-after-ms": "700", "retry-after": "9" }, 700],
  ])("obeys %s, and never retries sooner", async (_, headers: Record<string, string>, waitMs) => {
    const clock = stopClock();
    const { client, sent } = demo([hinted(503, headers), 200]);
    const model = client.models.get("m1");
    await clock.pass(waitMs);
    expect(sent).toHaveLength(1);
    await clock.pass(5);
    expect(sent).toHaveLength(2);
    await model;
  });

  it.each([
    ["a date", (date: string) => date],
    ["a date of RFC 850", (date: string) => date.replace(/^(\w+), (\d+) (\w+) \d\d(\d+)/, "$1day, $2-$3-$4")],
    ["a date of asctime", (date: string) => date.replace(/, (\d+) (\w+) (\d+) ([\d:]+) GMT/, " $2 $1 $4 $3")],
  ])("obeys Retry-After as %s", async (_, written) => {
    const clock = stopClock();
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3000);
    const { client, sent } = demo([hinted(429, { "retry-after": written(date.toUTCString()) }), 200]);
    const model = client.models.get("m1");
    await clock.pass(date.getTime() - Date.now());
    expect(sent).toHaveLength(1);
    await clock.pass(5);
    expect(sent).toHaveLength(2);
    await model;
  });

  it("waits as usual if the date of Retry-After is in the past, also for a call with the same key", async () => {
    const clock = stopClock();
    const past = { "retry-after": new Date(Date.now() - 3_600_000).toUTCString() };
    const failed = demo([hinted(429, past)]).client.models.get("m1", { maxRetries: 0 });
    await expect(failed).rejects.toMatchObject({ status: 429, retryAfterMs: undefined });
    const calls = [demo([hinted(429, past), 200]), demo([hinted(503, past), 200]), demo([hinted(409, past), 200])].map(
      ({ client, sent }) => {
        const model = client.models.create({ name: "n", base_model: "b" }, { idempotencyKey: "k" });
        return { model, sent };
      },
    );
    await clock.pass(374);
    expect(calls.map(({ sent }) => sent.length)).toEqual([1, 1, 1]);
    await clock.pass(130);
    expect(calls.map(({ sent }) => sent.length)).toEqual([2, 2, 2]);
    await Promise.all(calls.map(({ model }) => model));
  });

  it.each([{ "retry-after": "0" }, { "retry-after-ms": "0" }])(
    "retries at once if a service says so (%j)",
    async (headers: Record<string, string>) => {
      const clock = stopClock();
      const { client, sent } = demo([hinted(429, headers), 200]);
      const model = client.models.get("m1");
      await clock.pass(5);
      expect(sent).toHaveLength(2);
      await model;
    },
  );

  it.each(["soon", "-5", "soon 5", "NaN", "1e", "1e3", "1e400", "inf", "0x10", " "])(
    "ignores a malformed hint (%j)",
    async (nonsense) => {
      const clock = stopClock();
      const { client, sent } = demo([hinted(503, { "retry-after": nonsense }), 200]);
      const model = client.models.get("m1");
      await clock.pass(374);
      expect(sent).toHaveLength(1);
      await clock.pass(130);
      expect(sent).toHaveLength(2);
      await model;
    },
  );

  it.each([
    [{ "retry-after": "90" }, 90_000],
    [{ "retry-after": "9".repeat(99) }, 1e102],
    [{ "retry-after-ms": "60001" }, 60_001],
  ])(
    "fails at once above 60 s (%j), with the time on the error",
    async (headers: Record<string, string>, retryAfterMs) => {
      const { client, sent } = demo([hinted(429, headers)]);
      const error = await rejection(client.models.get("m1"));
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ retryAfterMs, attempts: 1 });
      expect(sent).toHaveLength(1);
    },
  );

  it("obeys x-should-retry, both ways", async () => {
    expect(await attempts([hinted(503, { "x-should-retry": "false" })])).toBe(1);
    expect(await attempts([hinted(400, { "x-should-retry": "true" }), 200])).toBe(2);
  });
});

describe("not to be resent", () => {
  const create = { name: "n", base_model: "b" };

  const keysOf = (sent: readonly Sent[]): unknown[] => sent.map(({ headers }) => headers["idempotency-key"]);

  it.each([{}, { idempotencyKeys: "off" } as const])("invents no idempotency key with %o", async (options) => {
    const { client, sent } = demo([200, 200, 503], options);
    await client.models.create(create);
    await client.models.get("m1");
    await rejection(client.models.create(create));
    expect(keysOf(sent)).toEqual([undefined, undefined, undefined]);
  });

  it.each(["client", "call"])("sends a new key in all attempts of a call if the %s asks for it", async (asks) => {
    const auto = { idempotencyKeys: "auto" } as const;
    const { client, http, sent } = demo([503], asks === "client" ? auto : {});
    const call = asks === "call" ? auto : {};
    await passing(() => rejection(client.models.create(create, call)));
    await passing(() => rejection(client.models.create(create, call)));
    await passing(() => http.POST("/v1/models", { body: create, ...call }));
    const keys = keysOf(sent);
    expect(keys).toHaveLength(9);
    for (const [index, key] of keys.entries()) expect(key).toBe(keys[index - (index % 3)]);
    const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
    expect([...new Set(keys)]).toEqual([uuid, uuid, uuid].map((form) => expect.stringMatching(form)));
  });

  it("sends a new key only where the operation declares the header, and the caller sends none", async () => {
    const { client, sent } = demo([200], { idempotencyKeys: "auto" });
    await client.models.get("m1");
    await client.models.create(create, { idempotencyKeys: "off" });
    await client.models.create(create, { idempotencyKey: "k" });
    await client.models.create(create, { headers: { "Idempotency-Key": "h" } });
    expect(keysOf(sent)).toEqual([undefined, undefined, "k", "h"]);
  });

  it.each([408, 500, 503])("sets outcomeUnknown after %i, and x-should-retry does not override it", async (status) => {
    const { client, sent } = demo([hinted(status, { "x-should-retry": "true" })]);
    expect(await rejection(client.check())).toMatchObject({ outcomeUnknown: true, attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  it.each(["ECONNRESET", "UND_ERR_SOCKET", "EPIPE"])("sets outcomeUnknown after %s", async (code) => {
    const { client, sent } = demo([failure(code)]);
    const error = await rejection(client.check());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcomeUnknown: true });
    expect(sent).toHaveLength(1);
  });

  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"])(
    "retries after %s, because no connection was made",
    async (code) => {
      expect(await attempts([failure(code), 200], "check")).toBe(2);
    },
  );

  it("always retries after 429, and then the outcome is known", async () => {
    const { client, sent } = demo([429]);
    expect(await passing(() => rejection(client.check()))).toMatchObject({
      name: "RateLimitError",
      outcomeUnknown: false,
      attempts: 3,
    });
    expect(sent).toHaveLength(3);
  });

  it("knows the outcome of a refusal", async () => {
    const { client } = demo([404]);
    expect(await rejection(client.check())).toMatchObject({ outcomeUnknown: false });
  });

  it("after a 409 with a wait, waits for the first call with the same key", async () => {
    const under = demo([failure("ECONNRESET"), hinted(409, { "retry-after": "1" }), 200]);
    await passing(() => under.client.models.create(create, { idempotencyKey: "k" }));
    expect(under.sent).toHaveLength(3);
    const clash = demo([hinted(409, {})]);
    expect(await rejection(clash.client.models.create(create, { idempotencyKey: "k" }))).toBeInstanceOf(ConflictError);
    expect(clash.sent).toHaveLength(1);
  });

  it("rejects a key that is empty, too long or not visible ASCII, and one for an operation that declares none", async () => {
    const { client, sent } = demo([200]);
    for (const idempotencyKey of ["", "k".repeat(256), "a b", "ü", "a\n"])
      expect(await rejection(client.models.create(create, { idempotencyKey }))).toMatchObject({
        name: "ConfigurationError",
      });
    const smuggled = { timeoutMs: 1000, idempotencyKey: "k" };
    expect(await rejection(client.models.get("m1", smuggled))).toBeInstanceOf(TrainyardError);
    expect(sent).toHaveLength(0);
  });

  it("retries a request whose body meets the condition, by method and by path, and names what would have been safe", async () => {
    const clock = stopClock();
    const body = { name: "n", base_model: "b" };
    const { client, http, sent } = demo([failure("ECONNRESET")], { maxRetries: 1 });
    const calls = [
      [2, client.models.create(body, { extraBody: { return_existing: true } })],
      [2, http.POST("/v1/models", { body: { ...body, return_existing: true } as typeof body })],
      [2, client.models.create(body, { idempotencyKey: "k" })],
      [1, client.models.create(body, { extraBody: { return_existing: "true" } })],
      [1, http.POST("/v1/models", { body })],
    ] as const;
    const errors = calls.map(([, call]) => rejection(call));
    await clock.toEnd();
    const unknown = '; retried only with idempotencyKey or {"return_existing":true}';
    const message = "models.create: no response from http://demo.test (ECONNRESET)";
    expect(await Promise.all(errors)).toMatchObject(
      calls.map(([attempts]) => ({ attempts, message: message + (attempts === 1 ? unknown : "") })),
    );
    expect(sent).toHaveLength(8);
  });
});
