/** @module-tag long */
import { flows, verify } from "@trainyard/live";
import type { LocalServer } from "@trainyard/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { legal, undeclared } from "./verify/legal.cases.ts";
import { servicesOf, trueServer } from "./verify/server.ts";

let server: LocalServer;

beforeAll(async () => {
  server = await trueServer();
});
afterAll(() => server.close());

it.each([
  ...Object.entries(legal).map(([title, play]) => ({ title, play, notDeclared: 0 })),
  ...Object.entries(undeclared).map(([title, play]) => ({ title, play, notDeclared: 1 })),
])("reports no contradiction if $title", async ({ play, notDeclared }) => {
  const before = play();
  const services = servicesOf(server).map((service) => {
    const send = before((request) => (service.fetch ?? fetch)(request));
    return { ...service, fetch: (...args: Parameters<typeof fetch>) => send(new Request(...args)) };
  });
  for (const write of [undefined, flows()]) {
    const { findings, left, accidents } = await verify(services, { write, basis: "proposed" });
    expect(findings.filter(({ certainty }) => certainty === "contradicts")).toEqual([]);
    expect({ left, accidents }).toEqual({ left: [], accidents: [] });
    if (write !== undefined) expect(findings).toHaveLength(notDeclared);
  }
});
