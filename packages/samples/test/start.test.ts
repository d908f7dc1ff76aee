/** @module-tag long */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalClient } from "@trainyard/local";
import { expect, it, vi } from "vitest";
import { startServices } from "../start/services.ts";

it("start uses a free port if its own is in use, prints it, and shows no run that failed", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const taken = vi.fn<(url: string) => void>();
  const services = await startServices({ port, taken });
  other.close();
  expect(taken.mock.calls).toEqual([[services.url]]);
  expect(services.variables["TRAINYARD_TRAINING_URL"]).toBe(services.url);
  expect((await fetch(`${services.url}/v1/health`)).status).toBe(200);
  const { runs } = createLocalClient(services.server.connect("local"));
  for await (const { name, state } of runs.list())
    expect({ name, state }).toEqual({ name: "agent-1", state: "idle" });
  await services.close();
});
