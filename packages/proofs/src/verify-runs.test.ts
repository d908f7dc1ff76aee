/**
 * Runs beside another client, runs that Ctrl-C ends, and runs against services that accept everything or drop connections.
 * @module-tag long
 */
import { setImmediate as turn } from "node:timers/promises";
import { isObject } from "@trainyard/core/validation";
import { flows, verify, type LiveService } from "@trainyard/live";
import { createServer, type LocalServer } from "@trainyard/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { key, servicesOf, trueServer } from "./verify/server.ts";

let server: LocalServer;

beforeAll(async () => {
  server = await trueServer();
});
afterAll(() => server.close());

const isWhole = process.env["VERIFY_MUTANTS"] === "all";
const runs = Array.from({ length: isWhole ? 20 : 2 }, (_, at) => at + 1);
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
type Fetch = (request: Request) => Promise<Response>;

/** The services of a server, with something before the training service. */
function behind(before: (send: Fetch) => Fetch, at: LocalServer = server): LiveService[] {
  return servicesOf(at).map((service) => {
    const send = before((request) => (service.fetch ?? fetch)(request));
    return service.name === "training" ? { ...service, fetch: (...args) => send(new Request(...args)) } : service;
  });
}

/** Creates models and deletes some or all of them again, until the signal. Returns how many it created. */
async function createAndDelete(signal: AbortSignal): Promise<number> {
  const { baseUrl, fetch: send } = server.connect("training", "harbor");
  const ids: string[] = [];
  let made = 0;
  while (!signal.aborted) {
    const body = JSON.stringify({ project: "others", name: `agent-${made++}`, base_model: "demo/tiny" });
    const answer: unknown = await (
      await send(`${baseUrl}/v1/preview/models`, { method: "POST", headers, body })
    ).json();
    if (isObject(answer)) ids.push(String(answer["id"]));
    const gone = made % 3 === 0 ? ids.splice(0) : ids.splice(0, ids.length - 3);
    for (const id of gone) await send(`${baseUrl}/v1/preview/models/${id}`, { method: "DELETE", headers });
    await turn();
  }
  return made;
}

it.each(runs)("invents nothing while another client creates and deletes models without pause, run %d", async () => {
  const ending = new AbortController();
  const other = createAndDelete(ending.signal);
  const { findings, left, accidents } = await verify(servicesOf(server), { write: flows() });
  ending.abort();
  expect({ findings, left, accidents }).toEqual({ findings: [], left: [], accidents: [] });
  expect(await other).toBeGreaterThan(20);
});

it.each(runs)("sees a completed job on rewards at a local server, run %d", async () => {
  const own = createServer({ keys: [{ key, entity: "harbor" }] });
  const jobs = new Map<string, unknown>();
  const services = behind(
    (send) => async (request) => {
      const answer = await send(request);
      const isOfJob = /\/training-jobs/.test(request.url) && request.method !== "HEAD";
      const body: unknown = isOfJob ? await answer.clone().json() : undefined;
      if (answer.ok && isObject(body) && (request.method === "POST" || jobs.has(String(body["id"]))))
        jobs.set(String(body["id"]), body["status"]);
      return answer;
    },
    own,
  );
  try {
    const { findings } = await verify(services, { write: flows() });
    expect(findings).toEqual([]);
    expect([...jobs.values()]).toContain("completed");
  } finally {
    await own.close();
  }
});

const dropped = () => Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET" });
const isCreation = ({ method, url }: Request) => method === "POST" && new URL(url).pathname.endsWith("/models");

/** A service that creates something for each request that could create something, whatever it has in it. */
const lax =
  (send: Fetch): Fetch =>
  async (request) => {
    const path = new URL(request.url).pathname;
    if (!["POST", "PATCH"].includes(request.method) || path.includes("/chat/")) return send(request);
    const own = await send(request.clone());
    if (own.ok) return own;
    const [name, id] = [`lax-${crypto.randomUUID()}`, crypto.randomUUID()];
    const body = JSON.stringify({ project: "verify-lax", name, base_model: "demo/tiny" });
    if (path.endsWith("/models"))
      return send(new Request(request.url, { method: "POST", headers: { ...headers, "idempotency-key": name }, body }));
    return Response.json({ id, status: "queued" }, { headers: { "x-request-id": id } });
  };

/** What stands before the service, and whether it loses responses, so that nobody can know the id of what was created. */
const services: [title: string, before: () => (send: Fetch) => Fetch, loses?: true][] = [
  ["keeps the contract", () => (send) => send],
  ["creates something for each request that could create something, whatever it has in it", () => lax],
  [
    "accepts unknown ids",
    () => (send) => async (request) => {
      const own = await send(request.clone());
      const id = crypto.randomUUID();
      const body = { id, model_id: id, status: "queued", data: [], has_more: false };
      return own.status === 404 ? Response.json(body, { headers: { "x-request-id": id } }) : own;
    },
  ],
  [
    "answers 200 to a creation, then drops the connection",
    () => (send) => async (request) => {
      const own = await send(request.clone());
      if (!own.ok || !isCreation(request)) return own;
      await own.text();
      return new Response(new ReadableStream({ start: (out) => out.error(dropped()) }), own);
    },
    true,
  ],
  [
    "drops the connection at every second request",
    () => {
      let count = 0;
      return (send: Fetch) => async (request: Request) => {
        const own = await send(request);
        if (count++ % 2 === 0) return own;
        await own.text();
        throw dropped();
      };
    },
    true,
  ],
];

const writing = [undefined, flows()];
const moments = isWhole ? [1, 20, 60, 100, 150, 200, 250, 300, 350, 400] : [110, 300];

it.each(services)("leaves nothing and names everything at a service that %s", async (_, before, loses) => {
  for (const write of writing)
    for (const moment of [...moments, Infinity]) {
      /** The models that exist, with the requests that created them. */
      const there = new Map<string, string>();
      const watched = behind((send) =>
        before()(async (request) => {
          const text = await request.clone().text();
          const answer = await send(request.clone());
          if (answer.ok && isCreation(request)) there.set(String(Object(await answer.clone().json()).id), text);
          if (answer.ok && request.method === "DELETE") there.delete(request.url.split("/").at(-1) ?? "");
          return answer;
        }),
      );
      const ending = new AbortController();
      let sent = 0;
      // After the last check, a run only deletes what it created, and looks whether it is gone.
      let checked = 0;
      const onRequest = (_: unknown, tried: string) => {
        sent++;
        if (!/^(to clean up|to find|after models\.delete)/.test(tried)) checked = sent;
        if (sent === moment) ending.abort();
      };
      const { accidents, notes } = await verify(watched, { write, signal: ending.signal, onRequest });
      if (loses !== true) expect({ there, moment }).toEqual({ there: new Map(), moment });
      const named = [...accidents, ...notes].join("\n");
      expect([...there].filter(([id, text]) => !named.includes(id) && !named.includes(text.slice(0, 100)))).toEqual([]);
      if (moment < checked) expect(notes).toContain("The run was interrupted, so not everything was checked.");
    }
});

const model_id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

/** The ids of the models that a server has. */
async function models(at: LocalServer = server): Promise<string[]> {
  const { baseUrl, fetch: send } = at.connect("inference", "harbor");
  const answer: { readonly data: readonly { readonly id: string }[] } = await (
    await send(`${baseUrl}/models`, { headers })
  ).json();
  return answer.data.map(({ id }) => id);
}

it.each([
  ["reads only", {}],
  ["writes", { write: flows() }],
  ["has an id of a model of others", { set: { model_id } }],
] as const)("leaves nothing behind on a service that accepts everything, if it %s", async (_, options) => {
  const before = await models();
  const { accidents, findings, left } = await verify(behind(lax), options);
  expect(await models()).toEqual(before);
  const ofModels = accidents.filter((one) => /\/v1\/preview\/models,/.test(one));
  expect(ofModels.length).toBeGreaterThan(8);
  expect(ofModels.filter((one) => !one.endsWith(": deleted"))).toEqual([]);
  // What no operation deletes is named.
  expect(accidents.find((one) => one.includes("trainingJobs.createRl"))).toMatch(/not deleted/);
  expect(left).toEqual([]);
  expect(findings.filter(({ operations }) => operations.includes("models.create")).length).toBeGreaterThan(1);
});

it("leaves nothing behind, whatever its budget", async () => {
  const before = await models();
  for (const budget of [1, 2, 3, 5, 8, 13, 34, 55, 89, 100, 110, 120, 130, 140, 144, 145, 146, 147]) {
    const { calls, left } = await verify(behind(lax), {
      budget,
      operations: ["models.create", "models.log", "health.check"],
    });
    expect(calls).toBeLessThanOrEqual(budget);
    expect(left).toEqual([]);
  }
  expect(await models()).toEqual(before);
});

it("names what it could not delete", async () => {
  const refusing = Response.json({ detail: "No." }, { status: 500 });
  const keeping = behind(
    (send) => async (request) => (request.method === "DELETE" ? refusing.clone() : lax(send)(request)),
  );
  const { accidents, left } = await verify(keeping, { operations: ["models.create"] });
  expect(accidents.filter((one) => one.includes("not deleted")).length).toBeGreaterThan(8);
  const ids = left.map(({ url = "" }) => url.slice(url.lastIndexOf("/") + 1));
  expect(ids.length).toBeGreaterThan(8);
  for (const id of ids) expect(accidents.join()).toContain(id);
});

it("gives invalid bodies its own project and name, and changes nothing that others made", async () => {
  const ids: string[] = [];
  const bodies: string[] = [];
  await verify(behind(lax), {
    set: { model_id },
    onRequest: ({ method, url, body = "" }, tried) => {
      if (method === "GET" || method === "HEAD" || tried === "to clean up") return;
      ids.push(url);
      if (url.endsWith("/models")) bodies.push(String(body));
    },
  });
  expect(ids.join()).not.toContain("6f1d2c84");
  expect(bodies.length).toBeGreaterThan(8);
  for (const body of bodies) expect(body).not.toMatch(/support-desk|agent-1/);
});

const noModel = crypto.randomUUID();

/** Changes the responses to creations. */
const creations =
  (change: (model: Record<string, unknown>, asked: unknown) => void) =>
  (send: Fetch): Fetch =>
  async (request) => {
    const asked: unknown = isCreation(request) ? await request.clone().json() : undefined;
    const answer = await send(request);
    if (!answer.ok || asked === undefined) return answer;
    const model: Record<string, unknown> = Object(await answer.json());
    change(model, asked);
    return Response.json(model, { headers: { "x-request-id": crypto.randomUUID() } });
  };

it.each<[title: string, before: (send: Fetch) => Fetch, isDeleted?: true]>([
  [
    "answers 200 to a deletion, and deletes nothing",
    (send) => async (request) => {
      const [, model_id] = /\/models\/([^/]+)$/.exec(request.url) ?? [];
      if (request.method !== "DELETE" || model_id === undefined) return send(request);
      const headers = { "x-request-id": crypto.randomUUID() };
      return Response.json({ model_id, deleted_checkpoints: 1, deleted_run: false }, { headers });
    },
  ],
  ["returns another id for each creation", creations((model) => (model["id"] = crypto.randomUUID()))],
  ["returns the same id for each creation", creations((model) => (model["id"] = noModel))],
  ["returns no id", creations((model) => delete model["id"])],
  [
    "returns another id, but the right one of what exists",
    creations((model, asked) => {
      if (!Object(asked).return_existing) model["id"] = crypto.randomUUID();
    }),
    true,
  ],
])("names what is left at a service that %s", async (_, before, isDeleted) => {
  const own = await trueServer();
  try {
    const others = await models(own);
    const { left } = await verify(behind(before, own), { write: flows(), operations: [] });
    const there = (await models(own)).filter((id) => !others.includes(id));
    const named = left.map(({ what }) => what).join("\n");
    for (const id of there) {
      const [, project, name] = /^artifact:\/\/\/harbor\/(verify-[^/]+)\/([^/:]+)/.exec(id) ?? [];
      expect(named).toContain(`, project ${project}, name ${name}: not deleted, because its deletion returned `);
    }
    if (isDeleted) expect({ there, left }).toEqual({ there: [], left: [] });
    else expect(there.length).toBeGreaterThan(3);
    expect(left.map(({ method }) => method)).toEqual(left.map(() => "DELETE"));
  } finally {
    await own.close();
  }
});
