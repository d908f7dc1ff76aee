/** @module-tag long */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
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

it.skipIf(process.platform === "win32")(
  "the build of the site ends with start, even if that is killed",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "trainyard-site-"));
    const turbo = '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 300\n';
    writeFileSync(join(folder, "turbo"), turbo, { mode: 0o755 });
    const file = join(folder, "turbo.pid");
    const site = join(import.meta.dirname, "../../../scripts/start/site.ts");
    // What the system does with the pipe of a program that is killed.
    const program = `const { spawn } = require("node:child_process");
      spawn(process.execPath, [${JSON.stringify(site)}], { stdio: ["pipe", "inherit", "inherit"] });
      setInterval(() => {}, 1000);`;
    const start = spawn(process.execPath, ["-e", program], {
      env: {
        ...process.env,
        PATH: `${folder}${delimiter}${process.env["PATH"]}`,
      },
    });
    await vi.waitUntil(
      () => existsSync(file) && readFileSync(file, "utf8") !== "",
      {
        timeout: 50_000,
      },
    );
    const pid = Number(readFileSync(file, "utf8"));
    start.kill("SIGKILL");
    await vi.waitUntil(() => !isAlive(pid), { timeout: 50_000 });
    rmSync(folder, { recursive: true });
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
