import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answering, type Answering, failure, rejection } from "../test/answering.ts";
import { engineOf, rowsOf } from "../test/engine-of.ts";
import { json, serve } from "../test/server.ts";
import { basic, inCookie, inHeader, inQuery } from "./carrier.ts";
import { createHttp } from "./http.ts";
import type { LogFacts } from "./logger.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, Secret } from "./options.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

interface Paths {
  "/x": {
    get: {
      parameters: { query?: { q?: string }; header?: never; path?: never; cookie?: never };
      requestBody?: never;
      responses: { 200: { headers: {}; content: { "application/json": { id: string } } } };
    };
  };
}

type Options = ClientOptions & {
  [scheme in "accessToken" | "basicKey" | "projectKey" | "queryKey" | "session"]?: Secret | null;
};

const schemes = {
  basicKey: basic,
  projectKey: inHeader("X-Project-Key"),
  queryKey: inQuery("key"),
  session: inCookie("sid"),
};

type Engine = ReturnType<typeof engineOf<{ get: Omit<Operation, "name"> }>>;

/** A service of one operation that takes these credentials. */
function serviceOf(security: Operation["security"]): Service & { operations: { get: Omit<Operation, "name"> } } {
  const operation = { method: "GET", path: "/x", resend: "always", ...(security && { security }) } as const;
  const variables = { apiKey: "X_API_KEY", projectKey: "X_PROJECT_KEY" };
  const service = { name: "x", contractVersion: "1", variables, timeout: 60, schemes, needsKey: true };
  return { ...service, operations: { get: operation } };
}

function client(security: Operation["security"], options: Options): Engine {
  return engineOf(serviceOf(security), { baseUrl: "http://x.test", maxRetries: 0, ...options });
}

const get = ({ call }: Engine, query?: { q: string }) => call("get", undefined, { query });

async function sentBy(security: Operation["security"], options: Options) {
  const { fetch, sent } = answering(200);
  await get(client(security, { fetch, ...options }), { q: "a b" });
  const { authorization, "x-project-key": projectKey } = sent[0]?.headers ?? {};
  const { searchParams } = new URL(sent[0]?.url ?? "");
  expect(searchParams.get("q")).toBe("a b");
  return { authorization, projectKey, queryKey: searchParams.get("key") ?? undefined };
}

const canary = "canary/key+0123456789";

describe("a credential is sent as its scheme says", () => {
  it.each<[string, Options, object]>([
    ["accessToken", { accessToken: "token" }, { authorization: "Bearer token" }],
    ["basicKey", { basicKey: "me:word" }, { authorization: `Basic ${btoa("me:word")}` }],
    ["basicKey", { basicKey: "word" }, { authorization: `Basic ${btoa("api:word")}` }],
    ["basicKey", { apiKey: "word" }, { authorization: `Basic ${btoa("api:word")}` }],
    ["projectKey", { projectKey: "p" }, { projectKey: "p" }],
    ["queryKey", { queryKey: canary }, { queryKey: canary }],
    ["queryKey", { queryKey: async () => canary }, { queryKey: canary }],
    ["queryKey", { queryKey: null }, {}],
    ["apiKey", { apiKey: null }, {}],
  ])("%s of %o", async (scheme, options, expected) => {
    expect(await sentBy([[scheme]], options)).toEqual(expected);
  });

  it("several together, where they are needed together", async () => {
    const options = { apiKey: "a", projectKey: "p", queryKey: "q" };
    expect(await sentBy([["apiKey", "projectKey", "queryKey"]], options)).toEqual({
      authorization: "Bearer a",
      projectKey: "p",
      queryKey: "q",
    });
  });

  it("by the first complete set, or not at all if none is needed", async () => {
    const security = [["apiKey", "projectKey"], ["queryKey"], []];
    expect(await sentBy(security, { apiKey: "a", queryKey: "q" })).toEqual({ queryKey: "q" });
    expect(await sentBy(security, { apiKey: "a", projectKey: "p", queryKey: "q" })).toEqual({
      authorization: "Bearer a",
      projectKey: "p",
    });
    expect(await sentBy(security, {})).toEqual({});
  });

  it("from its own variable", async () => {
    vi.stubEnv("X_PROJECT_KEY", "from-environment");
    expect(await sentBy([["projectKey"]], {})).toEqual({ projectKey: "from-environment" });
  });

  it("from no variable that the service does not name", async () => {
    const reads: PropertyKey[] = [];
    const environment = new Proxy({}, { get: (_, name) => (reads.push(name), canary) });
    vi.stubGlobal("process", { ...process, env: environment });
    for (const scheme of ["accessToken", "basicKey", "queryKey", "session"])
      expect(() => engineOf({ ...serviceOf([[scheme]]), variables: {} }, { baseUrl: "http://x.test" })).toThrow(
        /^The x client needs a key: pass (apiKey|queryKey|session)\.$/,
      );
    vi.unstubAllGlobals();
    expect(reads).toEqual([]);
  });

  it("and if one is missing, creating the client fails with its name", () => {
    vi.stubEnv("X_API_KEY", "");
    const missing = (security: string[][]) => () => client(security, { apiKey: "a" });
    expect(missing([["apiKey", "projectKey"]])).toThrow(
      "The x client needs a key: pass projectKey, or set X_PROJECT_KEY.",
    );
    expect(() => client([["accessToken"]], {})).toThrow("pass apiKey, or set X_API_KEY.");
  });

  it("and needs to be allowed in a browser", () => {
    vi.stubGlobal("document", {});
    for (const scheme of ["basicKey", "projectKey", "queryKey"] as const) {
      expect(() => client([[scheme]], { [scheme]: canary })).toThrow("allowKeyInBrowser");
      expect(() => client([[scheme]], { [scheme]: canary, allowKeyInBrowser: true })).not.toThrow();
    }
  });

  it("as a cookie beside others, and not to another origin", async () => {
    const { fetch, sent } = answering((url) =>
      url.startsWith("http://x.test")
        ? new Response(null, { status: 302, headers: { location: "http://y.test/" } })
        : Response.json({ id: "m1" }),
    );
    const options = { fetch, session: 'a=;"b', headers: { cookie: "crumb=1" } };
    await get(client([["session"]], options));
    expect(sent.map(({ headers }) => headers["cookie"])).toEqual(["crumb=1; sid=a=%3B%22b", undefined]);
  });

  it("and never replaces one that the program sends itself", async () => {
    const { fetch, sent } = answering(200);
    await get(client([["projectKey"]], { fetch, projectKey: "p", headers: { "x-project-key": "own" } }));
    expect(sent[0]?.headers).toMatchObject({ "x-project-key": "own" });
  });
});

describe("the canary", () => {
  const repeated = `${canary} ${encodeURIComponent(canary)} ${btoa(`me:${canary}`)}`;
  const faults: [string, Answering][] = [
    ["an answer", () => Response.json({ id: "m1" })],
    ["401 that repeats it", () => Response.json({ detail: `Wrong key ${repeated}` }, { status: 401 })],
    ["500 of text that repeats it", () => new Response(repeated, { status: 500 })],
    ["200 that is not JSON", () => new Response("<p>")],
    ["a refused connection", failure("ECONNREFUSED")],
    [
      "a failure that names the address",
      (url) => {
        throw Object.assign(new TypeError(`error sending request for url (${url})`), { path: url });
      },
    ],
  ];
  const schemes = [
    ["apiKey", canary, [canary]],
    ["basicKey", `me:${canary}`, [canary, btoa(`me:${canary}`)]],
    ["projectKey", canary, [canary]],
    ["queryKey", canary, [canary, encodeURIComponent(canary)]],
    ["session", canary, [canary]],
  ] as const;
  const cases = schemes.flatMap(([scheme, ...rest]) => faults.map((fault) => [scheme, ...fault, ...rest] as const));

  it.each(cases)("of %s is shown nowhere after %s", async (scheme, _, answer, secret, forms) => {
    const seen: unknown[] = [];
    const line = (message: string, facts: LogFacts): void => void seen.push(message, facts);
    const { fetch } = answering(answer);
    const given: Options = {
      fetch,
      [scheme]: secret,
      logger: { error: line, warn: line, info: line, debug: line },
      logLevel: "debug",
      middleware: [
        async (request, next) => {
          seen.push(request, ...request.headers);
          const response = await next(request);
          seen.push(request, response, response.url, response.clone());
          return response;
        },
      ],
    };
    const made = client([[scheme]], given);
    const http = createHttp<Paths>(
      serviceOf([[scheme]]),
      { baseUrl: "http://x.test", maxRetries: 0, ...given },
      rowsOf(serviceOf([[scheme]]).operations),
    );
    const call = get(made);
    const [thrown] = await Promise.allSettled([call.withResponse()]);
    const [answered] = await Promise.allSettled([http.GET("/x")]);
    seen.push(made, http, call, thrown, answered);
    if (answered.status === "fulfilled") seen.push(answered.value.response.url);
    if (thrown.status === "rejected") seen.push(thrown.reason, thrown.reason.cause, String(thrown.reason.stack));
    for (const value of seen) {
      const text = `${inspect(value, { depth: Infinity, showHidden: true, getters: true })}${JSON.stringify(value)}`;
      for (const form of forms) expect(text).not.toContain(form);
    }
    expect(seen.length).toBeGreaterThan(8);
  });

  it("keeps the error code, which decides about retries", async () => {
    const { fetch } = answering(failure("ECONNREFUSED"));
    expect(await rejection(get(client([["queryKey"]], { fetch, queryKey: canary })))).toMatchObject({
      name: "ConnectionError",
      outcomeUnknown: false,
    });
  });
});

describe("a redirect", () => {
  const options = { basicKey: `me:${canary}`, projectKey: canary, queryKey: canary };
  const security = [["basicKey", "projectKey", "queryKey"]];

  it("to another origin loses every credential, also one that the redirect repeats", async () => {
    const other = await serve((_, response) => json(response, { id: "m1" }));
    const first = await serve(
      (request, response) => void response.writeHead(307, { location: `${other.url}${request.url}` }).end(),
    );
    await get(client(security, { baseUrl: first.url, ...options }), { q: "1" });
    expect(first.received[0]?.url).toContain(encodeURIComponent(canary));
    expect(other.received[0]?.url).toBe("/x?q=1");
    expect(JSON.stringify(other.received[0]?.headers)).not.toMatch(/canary|authorization|project/);
  });

  it("within the origin keeps them", async () => {
    const { url, received } = await serve((request, response) => {
      if (request.url?.startsWith("/moved")) json(response, { id: "m1" });
      else response.writeHead(308, { location: "/moved" }).end();
    });
    const { response } = await get(client(security, { baseUrl: url, ...options })).withResponse();
    expect(received[1]?.url).toBe(`/moved?key=${encodeURIComponent(canary)}`);
    expect(received[1]?.headers).toMatchObject({
      "x-project-key": canary,
      authorization: expect.stringMatching(/^Basic/),
    });
    expect(response.url).toBe(`${url}/moved`);
  });

  it("made by middleware to another address gets none", async () => {
    const { fetch, sent } = answering(200);
    const middleware: ClientOptions["middleware"] = [
      (request, next) => next({ ...request, url: "http://x.test.evil/x" }),
    ];
    await get(client(security, { fetch, middleware, ...options }));
    expect(sent[0]?.url).toBe("http://x.test.evil/x");
    expect(JSON.stringify(sent[0]?.headers)).not.toMatch(/canary|authorization/);
  });
});

it("makes a client with one of several credentials, or with none, and names what a call needs before it is sent", async () => {
  const { fetch, sent } = answering(200);
  const { operations, ...service } = serviceOf([["projectKey"]]);
  const rows = { ...operations, ask: { ...operations.get, security: [["queryKey"]] } };
  const options: Options = { baseUrl: "http://x.test", maxRetries: 0, fetch };
  const own: Options = { ...options, projectKey: "p" };
  const engine = engineOf({ ...service, operations: rows }, own);
  await engine.call("get");
  expect(sent).toHaveLength(1);
  const without = engineOf({ ...service, needsKey: false, operations: rows }, options);
  for (const { call } of [engine, without])
    expect(await rejection(call("ask"))).toMatchObject({
      name: "ConfigurationError",
      message: "ask: needs a key: pass queryKey.",
    });
  expect(sent).toHaveLength(1);
});
