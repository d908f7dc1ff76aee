/** @module-tag long */
import { isObject } from "@trainyard/core/validation";
import { flows, verify, type VerifyOptions } from "@trainyard/live";
import type { LocalServer } from "@trainyard/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { key, servicesOf, trueServer } from "./verify/server.ts";

let server: LocalServer;

beforeAll(async () => {
  server = await trueServer();
});
afterAll(() => server.close());

const authorization = `Bearer ${key}`;

/** The ids of the models that the server has. */
async function models(): Promise<string[]> {
  const { baseUrl, fetch: send } = server.connect("inference", "harbor");
  const answer: unknown = await (await send(`${baseUrl}/models`, { headers: { authorization } })).json();
  const { data } = isObject(answer) ? answer : {};
  return (Array.isArray(data) ? data : []).map((one) => (isObject(one) ? String(one["id"]) : ""));
}

/** Verifies a server that creates something for each request that could create something, whatever it has in it. */
async function look(options: VerifyOptions, deletes = true) {
  let sent = 0;
  const services = servicesOf(server).map((service) => {
    const send = service.fetch ?? fetch;
    const accept: typeof fetch = async (...args) => {
      const request = new Request(...args);
      const path = new URL(request.url).pathname;
      sent++;
      if (request.method === "DELETE" && !deletes) return Response.json({ detail: "No." }, { status: 500 });
      if (service.name !== "training" || !["POST", "PATCH"].includes(request.method) || path.includes("/chat/"))
        return send(request);
      const name = `lax-${crypto.randomUUID()}`;
      const body = JSON.stringify({ project: "verify-lax", name, base_model: "demo/tiny" });
      const headers = { authorization, "content-type": "application/json", "idempotency-key": name };
      const own = await send(request.clone());
      if (own.ok) return own;
      if (path.endsWith("/models")) return send(request.url, { method: "POST", headers, body });
      const id = crypto.randomUUID();
      return Response.json({ id, status: "queued" }, { headers: { "x-request-id": id } });
    };
    return { ...service, fetch: accept };
  });
  return { ...(await verify(services, options)), sent };
}

it.each([
  ["reads only", {}],
  ["writes", { write: flows() }],
  ["has an id of a model of others", { set: { model_id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30" } }],
] as const)("leaves nothing behind on a service that accepts everything, if it %s", async (_, options) => {
  const before = await models();
  const { accidents, findings, left } = await look(options);
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
    const { calls, left } = await look({ budget, operations: ["models.create", "models.log", "health.check"] });
    expect(calls).toBeLessThanOrEqual(budget);
    expect(left).toEqual([]);
  }
  expect(await models()).toEqual(before);
});

it("names what it could not delete", async () => {
  const { accidents, left } = await look({ operations: ["models.create"] }, false);
  expect(accidents.filter((one) => one.includes("not deleted")).length).toBeGreaterThan(8);
  const ids = left.map(({ url }) => url.slice(url.lastIndexOf("/") + 1));
  expect(ids.length).toBeGreaterThan(8);
  for (const id of ids) expect(accidents.join()).toContain(id);
});

it("gives invalid bodies its own project and name, and changes nothing that others made", async () => {
  const ids: string[] = [];
  const bodies: string[] = [];
  await look({
    set: { model_id: "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30" },
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
