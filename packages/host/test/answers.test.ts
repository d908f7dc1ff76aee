import { expect, it } from "vitest";
import { byExample, host as hostOf, PlannedFaults, refuse, type Disconnect } from "../src/index.ts";
import { readDocument } from "@trainyard/document";
import { ask, shop, shopHost } from "./shop.ts";

/** What is checked of an answer: its status, one of its headers, its body. */
const parts = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>, header: string) => [
  status,
  headers.get(header),
  body,
];
const made = { body: JSON.stringify({ name: "x" }) };

it("returns an example if there is no handler, marks it, and reports it once", async () => {
  const reported: string[] = [];
  const host = shopHost(
    { handlers: { "things.make": byExample } },
    { unhandled: (document, { name }) => reported.push(`${document} ${name}`) },
  );
  for (let index = 0; index < 2; index++) {
    const answer = await ask(host, "/things", made);
    expect(parts(answer, "x-trainyard-example")).toEqual([200, "first", { name: "one" }]);
  }
  await ask(host, "/things");
  expect(reported).toEqual(["shop things.make", "shop things.list"]);
  const stream = await ask(host, "/things", { body: JSON.stringify({ name: "x", stream: true }) });
  expect(parts(stream, "content-type")).toEqual([200, "text/event-stream", "data: 1\n\ndata: [DONE]\n\n"]);
});

it("passes the parsed request to a handler, and sends its result", async () => {
  const host = shopHost(
    {
      handlers: {
        "things.list": ({ query }) => ({ status: 200, body: query }),
        "things.make": ({ body, owner, bytes }) => ({
          status: 200,
          body: { body, owner, text: new TextDecoder().decode(bytes) },
        }),
        "things.named": () => refuse(404, "There is no thing that is called so."),
        "secrets.optional": () => {
          throw new Error("secret");
        },
      },
    },
    { report: () => undefined },
  );
  expect((await ask(host, "/things?limit=5&limit=7&other=1")).body).toEqual({ limit: 7 });
  expect((await ask(host, "/things")).body).toEqual({ limit: 20 });
  expect((await ask(host, "/things", made)).body).toEqual({ body: { name: "x" }, owner: "harbor", text: made.body });
  const { body, headers } = await ask(host, "/things/named");
  expect(body).toEqual({ code: "unknown_thing", reason: "There is no thing that is called so." });
  expect(headers.has("x-trainyard-example")).toBe(false);
  const failed = await ask(host, "/optional");
  expect(failed).toMatchObject({ status: 500, body: { code: "internal_error" } });
  expect(JSON.stringify(failed.body)).not.toContain("secret");
});

it("reports results of handlers that violate the document", async () => {
  const violations: string[] = [];
  const host = shopHost(
    { handlers: { "things.list": () => ({ status: 200, body: { name: 5 } }) } },
    { violation: ({ operation, problem }) => violations.push(`${operation}: ${problem}`) },
  );
  await ask(host, "/things");
  await ask(host, "/things?limit=x");
  expect(violations).toEqual([expect.stringMatching(/^shop things\.list: name: /)]);
});

it("applies a plan once, in the form of the document", async () => {
  const faults = new PlannedFaults(["things.list", "shop things.make"]);
  const host = shopHost({}, { faults });
  const list = () => ask(host, "/things?limit=x", { headers: { authorization: "" } });
  faults.plan({ operation: "things.list", status: 429 });
  expect(parts(await list(), "retry-after")).toEqual([429, "7", { code: "too_many", reason: "Wait." }]);
  expect((await list()).status).toBe(401);
  faults.plan({ operation: "things.list", example: "second", headers: { "x-more": "1" } });
  expect(parts(await list(), "x-more")).toEqual([200, "1", { name: "two" }]);
  faults.plan({ operation: "*", status: 418, retryAfter: 3 });
  const tea = await list();
  expect([tea.status, tea.headers.get("retry-after")]).toEqual([418, "3"]);
  expect(tea.body).toMatchObject({ reason: "This answer of things.list was planned." });
  faults.plan({ operation: "things.list", status: 502, body: "<html>" });
  expect(parts(await list(), "content-type")).toEqual([502, "text/plain", "<html>"]);
  // Without a response of its own, a plan changes how the operation's is sent.
  faults.plan({ operation: "shop things.make", headers: { "x-more": "2" }, delayMs: 5 });
  const changed = await ask(host, "/things", { body: "{" });
  expect([changed.status, changed.headers.get("x-more")]).toEqual([400, "2"]);
  expect(() => faults.plan({ operation: "things.sell" })).toThrow("There is no operation things.sell");
  expect(faults.list()).toEqual([]);
});

it("breaks connections as planned", async () => {
  const faults = new PlannedFaults(["things.list"]);
  const host = shopHost({}, { faults });
  faults.plan({ operation: "things.list", disconnect: true });
  await expect(ask(host, "/things")).rejects.toMatchObject({ code: "ECONNRESET" } satisfies Partial<Disconnect>);
  faults.plan({ operation: "things.list", cut: true });
  await expect(ask(host, "/things")).rejects.toThrow("cut");
});

it("sends planned events one by one, and breaks off as planned", async () => {
  const faults = new PlannedFaults(["things.make"]);
  const host = shopHost({}, { faults });
  const make = (stream: boolean) => ask(host, "/things", { body: JSON.stringify({ name: "x", stream }) });
  const chunks = [{ name: "one" }, "two\nlines"];
  faults.plan({ operation: "things.make", chunks, chunkDelayMs: 1, headers: { "x-more": "1" } });
  const { headers, body } = await make(true);
  const sent = ["content-type", "cache-control", "x-accel-buffering", "x-more"].map((name) => headers.get(name));
  expect(sent).toEqual(["text/event-stream; charset=utf-8", "no-cache", "no", "1"]);
  expect(body).toBe('data: {"name":"one"}\n\ndata: two\ndata: lines\n\ndata: [DONE]\n\n');
  faults.plan({ operation: "things.make", chunks, cutAfter: 1 });
  await expect(make(true)).rejects.toThrow("cut");
  // The same for a stream from the document.
  faults.plan({ operation: "things.make", cutAfter: 0 });
  await expect(make(true)).rejects.toThrow("cut");
  faults.plan({ operation: "things.make", chunkDelayMs: 1 });
  expect((await make(true)).body).toBe("data: 1\n\ndata: [DONE]\n\n");
  faults.plan({ operation: "things.make", chunks });
  expect(await make(false)).toMatchObject({
    status: 501,
    body: { reason: "The response planned for things.make is a stream, but the request does not ask for one." },
  });
  // A response that is not a stream breaks in its middle.
  faults.plan({ operation: "things.make", cutAfter: 1 });
  await expect(make(false)).rejects.toThrow("cut");
});

it("lets a handler return a plan", async () => {
  const host = shopHost({
    handlers: {
      "things.make": ({ body }) => ({
        planned: { headers: { "x-more": "1" }, ...(Object(body).name === "busy" && { status: 429 }) },
        otherwise: { status: 200, body },
      }),
    },
  });
  const make = (name: string) => ask(host, "/things", { body: JSON.stringify({ name }) });
  expect(parts(await make("x"), "x-more")).toEqual([200, "1", { name: "x" }]);
  expect(parts(await make("busy"), "x-more")).toEqual([429, "1", { code: "too_many", reason: "Wait." }]);
  expect((await make("a name that is far too long")).headers.has("x-more")).toBe(false);
});

it("limits running requests, and completes them when it stops", async () => {
  const faults = new PlannedFaults(["things.list"]);
  const host = shopHost({}, { faults, limits: { requests: 1 } });
  faults.plan({ operation: "things.list", delayMs: 30 });
  const slow = ask(host, "/things");
  expect(await ask(host, "/things")).toMatchObject({ status: 429, body: { code: "rate_limit_exceeded" } });
  const drained = host.drain();
  expect((await ask(host, "/things")).status).toBe(503);
  expect((await slow).status).toBe(200);
  await drained;
});

it("allows pages on this machine, with any headers, and no others", async () => {
  const host = shopHost();
  const preflight = (origin: string) =>
    ask(host, "/things", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-stainless-lang, authorization",
      },
    });
  const { status, headers } = await preflight("http://localhost:3000");
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
  expect(headers.get("access-control-allow-headers")).toBe("x-stainless-lang, authorization");
  expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST");
  expect(headers.get("vary")).toBe("Origin");
  const plain = { origin: "http://localhost:3000", "access-control-request-method": "POST" };
  const unasked = await ask(host, "/things", { method: "OPTIONS", headers: plain });
  expect(unasked.headers.get("access-control-allow-headers")).toBe("Authorization, Content-Type");
  const foreign = ["https://example.org", "http://localhost.example.com", "http://127.0.0.1.example.com", "null", ""];
  for (const origin of foreign)
    expect([...(await preflight(origin)).headers.keys()].filter((name) => name.startsWith("access-"))).toEqual([]);
  for (const origin of ["https://127.0.0.1", "http://127.1.2.3:1", "http://[::1]:5173", "http://docs.localhost"])
    expect((await ask(host, "/nothing", { headers: { origin } })).headers.get("access-control-allow-origin")).toBe(
      origin,
    );
});

it("streams text, and reports each line that violates the document", async () => {
  const root = structuredClone(shop) as { paths: { "/optional": { get: { responses: { 200: object } } } } };
  const line = { type: "string", contentSchema: { $ref: "#/components/schemas/Thing" } };
  root.paths["/optional"].get.responses[200] = {
    description: "The things.",
    content: { "application/jsonl": { schema: line, examples: { one: { value: '{"name":"x"}\n' } } } },
  };
  const violations: string[] = [];
  const pieces = ['{"name":"a"}\n{"na', 'me":7}\n', "half"];
  let mediaType = "application/jsonl";
  const host = shopHost(
    {
      document: readDocument(root),
      handlers: {
        "secrets.optional": () => ({
          text: new ReadableStream<Uint8Array>({
            start(controller) {
              for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
              controller.close();
            },
          }),
          mediaType,
          headers: { "Content-Disposition": "attachment" },
        }),
        "things.named": () => ({ notModified: { ETag: '"1"' } }),
      },
    },
    { violation: ({ problem }) => violations.push(problem) },
  );
  const answer = await ask(host, "/optional");
  expect(parts(answer, "content-type")).toEqual([200, "application/jsonl; charset=utf-8", pieces.join("")]);
  expect(answer.headers.get("content-disposition")).toBe("attachment");
  expect(violations).toEqual([expect.stringMatching(/^name: /), "The answer is not JSON."]);
  mediaType = "text/csv";
  await ask(host, "/optional");
  expect(violations[2]).toBe("The document declares no text/csv for status 200.");
  expect(parts(await ask(host, "/things/named"), "etag")).toEqual([304, '"1"', ""]);
});

it.each<[string, object, string | null]>([
  ["its example", { required: true, example: "a", schema: { type: "string" } }, "a"],
  ["an example of its schema", { required: true, schema: { type: "string", examples: ["b"] } }, "b"],
  ["its enumeration", { required: true, schema: { enum: ["c"] } }, "c"],
  ["its constant", { required: true, schema: { const: 4 } }, "4"],
  ["its default", { required: true, schema: { type: "integer", default: 5 } }, "5"],
  ["its format", { required: true, schema: { type: "string", format: "date" } }, "2026-01-01"],
  ["its pattern", { required: true, schema: { type: "string", pattern: "^g$" } }, "g"],
  ["a list", { required: true, schema: { type: "array", minItems: 2, items: { type: "integer" } } }, "1,1"],
  ["nothing that must be sent", { schema: { type: "string" } }, null],
  ["a schema that permits nothing", { required: true, schema: { type: "integer", enum: ["h"] } }, null],
])("sends the header of an example with the value of %s", async (_, header, value) => {
  const responses = { 200: { headers: { "X-One": header, Location: { schema: { type: "string" } } } } };
  const document = readDocument({ openapi: "3.1.0", paths: { "/a": { get: { operationId: "a", responses } } } });
  const { headers } = await hostOf({ name: "one", document, keys: "none" }, { unhandled: () => undefined }).fetch(
    new Request("http://one.invalid/a"),
  );
  expect([headers.get("x-one"), headers.get("location")]).toEqual([value, "string"]);
});
