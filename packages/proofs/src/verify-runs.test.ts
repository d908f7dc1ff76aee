/**
 * Runs beside another client, runs that Ctrl-C ends, and runs against services that accept too much or drop connections.
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

/** What stands before the service, and whether it loses responses, so that nobody can know the id of what was created. */
const services: [title: string, before: () => (send: Fetch) => Fetch, loses?: true][] = [
  ["keeps the contract", () => (send) => send],
  [
    "accepts any request for a model, also without a key",
    () => (send) => async (request) => {
      const own = await send(request.clone());
      if (own.ok || !isCreation(request)) return own;
      const body = JSON.stringify({ project: "lax", name: crypto.randomUUID(), base_model: "demo/tiny" });
      return send(new Request(request.url, { method: "POST", headers, body }));
    },
  ],
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
          if (request.method !== "DELETE") checked = sent;
          const answer = await send(request.clone());
          if (answer.ok && isCreation(request)) there.set(String(Object(await answer.clone().json()).id), text);
          if (answer.ok && request.method === "DELETE") there.delete(request.url.split("/").at(-1) ?? "");
          return answer;
        }),
      );
      const ending = new AbortController();
      let sent = 0;
      // After the last check, a run only deletes what it created.
      let checked = 0;
      const onRequest = () => void (++sent === moment && ending.abort());
      const { accidents, notes } = await verify(watched, { write, signal: ending.signal, onRequest });
      if (loses !== true) expect({ there, moment }).toEqual({ there: new Map(), moment });
      const named = [...accidents, ...notes].join("\n");
      expect([...there].filter(([id, text]) => !named.includes(id) && !named.includes(text.slice(0, 100)))).toEqual([]);
      if (moment < checked) expect(notes).toContain("The run was interrupted, so not everything was checked.");
    }
});
