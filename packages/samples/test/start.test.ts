/** @module-tag long */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

it.each([
  ["a clone", 0],
  ["a#b", 1],
  ["%41", 1],
  ["[a]", 1],
  ["node_modules/a", 1],
])(
  "start in the folder %j ends with %d before anything else runs",
  (name, code) => {
    const folder = mkdtempSync(join(tmpdir(), "trainyard-place-"));
    const file = join(folder, name, "scripts/place.js");
    mkdirSync(join(file, ".."), { recursive: true });
    copyFileSync(join(import.meta.dirname, "../../../scripts/place.js"), file);
    const { status, stderr } = spawnSync(process.execPath, [file], {
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });
    expect({ status, stderr }).toEqual({
      status: code,
      stderr:
        code === 0
          ? ""
          : expect.stringMatching(/^Move the clone: its path contains /),
    });
  },
);
