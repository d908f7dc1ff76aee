/** Who may do what: the table of scopes, tried with each operation of each service. */
import { expect, it } from "vitest";
import { clientAddresses } from "../src/http/client-address.ts";
import { readContracts } from "../src/http/documents.ts";
import type { KeyOptions } from "../src/http/keys.ts";
import { makeServer, send } from "./lib.ts";

const scopes = ["read", "write", "admin"] as const;
const keys: KeyOptions[] = ["harbor", "*"].flatMap((entity) =>
  scopes.map((scope) => ({ key: `${entity}-${scope}`, entity, scopes: [scope] })),
);
/** What `harbor` and `*` may do at least with a scope; null: never. */
function neededOf(service: string, method: string, name: string): { harbor: string | null; "*": string | null } {
  const reads = method === "GET" || name === "feedback.stats" || name === "objects.read";
  if (service !== "local") return { harbor: reads ? "read" : "write", "*": null };
  const isOwn = name.startsWith("runs.") || name.startsWith("imports.");
  return { harbor: isOwn ? "admin" : null, "*": reads ? "read" : "admin" };
}

it("lets each key do what its scopes allow, and names what is missing", async () => {
  const server = makeServer({ keys: [...keys, { key: "old", entity: "harbor" }] });
  let tried = 0;
  for (const { name: service, document } of readContracts()) {
    for (const { method, path, name, security } of document.operations) {
      // What needs no key is open to each.
      if (security.length === 0 || security.some((schemes) => schemes.length === 0)) continue;
      const needed = neededOf(service, method, name);
      const filled = path.replaceAll(/\{\w+\}/g, "00000000-0000-4000-8000-000000000000");
      for (const { key: apiKey = "", entity, scopes: [scope = "read"] = [] } of keys) {
        const response = await send({ ...server.connect(service), apiKey }, filled, { method });
        const least = needed[entity === "*" ? "*" : "harbor"];
        const may = least !== null && scopes.indexOf(scope) >= scopes.findIndex((one) => one === least);
        expect([name, apiKey, (response.status === 403) === !may]).toEqual([name, apiKey, true]);
        if (!may && least !== null) expect(await response.text()).toContain(`needs the scope ${least}`);
        tried++;
      }
      const old = await send({ ...server.connect(service), apiKey: "old" }, filled, { method });
      expect([name, old.status === 403]).toEqual([name, needed.harbor === null]);
    }
  }
  expect(tried).toBeGreaterThan(200);
  await server.end();
});

it("shows an entity its own runs, and imports nothing into another", async () => {
  const server = makeServer({ keys: [...keys, { key: "q", entity: "quay", scopes: ["admin"] }] });
  const [mine, theirs] = await Promise.all(
    ["harbor", "quay"].map((entity) =>
      server.clients(entity).training.models.create({ project: "p", name: "n", base_model: "demo/tiny" }),
    ),
  );
  const local = { ...server.connect("local"), apiKey: "harbor-admin" };
  const runs = (await (await send(local, "/runs")).json()).data.map(({ id }: { id: string }) => id);
  expect(runs).toEqual([mine?.id]);
  expect((await (await send(local, "/changes")).json()).runs).toEqual([mine?.id]);
  const of = (id: string | undefined) => send(local, `/runs/${id}/curve`).then(({ status }) => status);
  expect([await of(mine?.id), await of(theirs?.id)]).toEqual([200, 404]);
  const bring = async (kind: string, record: object) => {
    const id = crypto.randomUUID();
    await send(local, "/imports/begin", { body: JSON.stringify({ id, kind }) });
    const lines = [JSON.stringify(record)];
    const as = "artifact:///quay/p/a:v1";
    await send(local, "/imports/add", {
      body: JSON.stringify({ id, kind, from: 0, lines, ...(kind === "artifacts" && { as }) }),
    });
    return (await send(local, "/imports/finish", { body: JSON.stringify({ id }) })).status;
  };
  const feedback = { id: "f", created_at: "2026-11-04T00:00:00Z", feedback_type: "x", payload: {} };
  const model = { project: "p", name: "m", base_model: "demo/tiny" };
  const job = { id: crypto.randomUUID(), kind: "rl", status: "failed", events: [] };
  const pricing = { cents_per_million_input_tokens: 1, cents_per_million_output_tokens: 2 };
  for (const [kind, record, status] of [
    ["feedback", { ...feedback, project_id: "harbor/p" }, 200],
    ["feedback", { ...feedback, project_id: "quay/p" }, 409],
    ["objects", { project_id: "quay/p", object_id: "o", val: 1 }, 409],
    ["models", { ...model, entity: "harbor", id: crypto.randomUUID() }, 200],
    ["models", { ...model, entity: "quay", id: crypto.randomUUID() }, 409],
    ["models", { ...model, entity: "harbor", id: theirs?.id }, 409],
    ["jobs", { ...job, model_id: mine?.id }, 200],
    ["jobs", { ...job, model_id: theirs?.id }, 409],
    ["hardware", { model: "tiny", id: "h", name: "H", type: "gpu", pricing }, 409],
    ["artifacts", { messages: [] }, 409],
  ] as const)
    expect([kind, await bring(kind, record)]).toEqual([kind, status]);
  await server.end();
});

it.each([
  ["9.9.9.9", [], "9.9.9.9", "6.6.6.6"],
  ["::ffff:9.9.9.9", [], "9.9.9.9", "6.6.6.6"],
  ["9.9.9.9", ["127.0.0.1"], "9.9.9.9", "6.6.6.6"],
  ["127.0.0.1", ["127.0.0.1"], "6.6.6.6", "6.6.6.6"],
  ["127.0.0.1", ["127.0.0.1"], "5.5.5.5", "6.6.6.6, 5.5.5.5"],
  ["10.1.2.3", ["127.0.0.1", "10.0.0.0/8"], "5.5.5.5", "6.6.6.6, 5.5.5.5, 10.9.9.9, 127.0.0.1"],
  ["::1", ["::1"], "2001:db8::1", "2001:db8::1"],
  ["127.0.0.1", ["127.0.0.1"], "127.0.0.1", "5.5.5.5, nonsense"],
  ["127.0.0.1", ["127.0.0.1"], "127.0.0.1", ""],
])("finds the client of %s with the proxies %j", (peer, proxies, client, forwarded) => {
  expect(clientAddresses(proxies)(peer, new Headers({ "X-Forwarded-For": forwarded }))).toBe(client);
});

it.each(["", "localhost", "10.0.0.0/33", "::1/129", "1.2.3.4/x"])("refuses %j as a proxy", (proxy) => {
  expect(() => clientAddresses([proxy])).toThrow("--trusted-proxy must be an address or a network");
});
