import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { siteFrom } from "../src/http/site.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, until } from "./lib.ts";
import { quickTrainer } from "./programs/quick-trainer.ts";
import { whole } from "./whole.ts";

const posix = process.platform !== "win32";

/** The files and folders below a folder that other users can access, except those in folders that they cannot enter. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if ((statSync(path).mode & 0o077) === 0) return [];
    return [path, ...(entry.isDirectory() ? openToOthers(path) : [])];
  });
}

it.skipIf(!posix || !whole)(
  "makes files readable only by their owner, whatever the mode of the folder and of existing files",
  async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const data = temporaryFolder();
    chmodSync(data, 0o777);
    writeFileSync(join(data, "trainyard.sqlite"), "", { mode: 0o666 });
    mkdirSync(join(data, "checkpoints"), { mode: 0o777 });
    const server = makeServer({ data, console: true, trainer: { command: quickTrainer() } });
    await server.listen({ port: 0 });
    const { training } = server.clients();
    const model = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
    const job = await training.trainingJobs.createRl({
      model_id: model.id,
      trajectory_groups: [{ trajectories: [{ reward: 1 }] }],
    });
    await until(async () => (await training.trainingJobs.get(job.id)).status === "completed");
    await server.control.runs.list();
    expect(openToOthers(data)).toEqual([]);
    expect(readdirSync(data)).toEqual(expect.arrayContaining(["server.json", "trainyard.sqlite-wal"]));
    await server.end();
    expect(openToOthers(data)).toEqual([]);
  },
);

it("serves no hidden file of a site, and no file outside of it through a symbolic link", async () => {
  const folder = temporaryFolder();
  const site = join(folder, "site");
  mkdirSync(join(site, ".git"), { recursive: true });
  for (const name of ["page.html", ".env", ".git/config"]) writeFileSync(join(site, name), name);
  writeFileSync(join(folder, "secret.txt"), "secret");
  if (posix) {
    symlinkSync(join(folder, "secret.txt"), join(site, "out.txt"));
    symlinkSync(folder, join(site, "up"));
    symlinkSync(join(site, "page.html"), join(site, "within.html"));
  }
  const answer = siteFrom(site);
  const status = async (path: string) => (await answer(new Request(`http://localhost/docs/${path}`)))?.status ?? 404;
  expect(await status("page.html")).toBe(200);
  if (posix) expect(await status("within.html")).toBe(200);
  for (const path of [".env", ".git/config", "%2eenv", "out.txt", "up/secret.txt"]) {
    expect([path, await status(path)]).toEqual([path, 404]);
  }
});

it("serves pages only for its own host names, and requests with a key for any", async () => {
  const server = makeServer({ console: true, hosts: ["trainyard.example"] });
  const { port } = new URL(await server.listen({ port: 0 }));
  const status = (path: string, host: string, headers: object = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port, path, headers: { ...headers, host: `${host}:${port}` } };
      get(options, (response) => resolve(response.resume().statusCode)).on("error", reject);
    });
  const key = { authorization: `Bearer ${server.connect("training").apiKey}` };
  for (const path of ["/v1/preview/base-models", "/v1/system-check", "/", "/docs/", "/console/", "/_local/runs"]) {
    expect([path, await status(path, "evil.example")]).toEqual([path, 421]);
    for (const host of ["localhost", "127.0.0.1", "[::1]", "trainyard.example", "a.localhost"]) {
      expect([path, host, await status(path, host)]).not.toEqual([path, host, 421]);
    }
  }
  expect(await status("/_local/faults", "evil.example", key)).toBe(421);
  expect(await status("/v1/preview/base-models", "gpu-box", key)).toBe(200);
  expect(await status("/v1/health", "balancer")).toBe(200);
  await server.end();
});
