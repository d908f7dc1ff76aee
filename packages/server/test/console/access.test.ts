import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../folders.ts";
import type { Connection } from "../../src/index.ts";
import { readContracts } from "../../src/http/documents.ts";
import { allShown, makeServer, send, shown, until } from "../lib.ts";

/** Exchanges the printed code for a cookie. */
const openAt = (url: string, code: string) =>
  fetch(`${url}/_local/console/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });

/** A server on a port, as a browser meets it. */
async function makeConsole() {
  const server = makeServer({ console: true });
  const url = await server.listen({ port: 0 });
  const code = server.consoleUrl()?.split("#")[1] ?? "";
  const opened = await openAt(url, code);
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const status = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    (await fetch(`${url}${path}`, { method, headers, redirect: "manual" })).status;
  return { server, url, opened, cookie, status };
}

it("opens its reads, and nothing else, with a cookie for the printed code", async () => {
  const { server, url, opened, cookie, status } = await makeConsole();
  expect(server.consoleUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#[\w-]{22}$/);
  expect(opened.headers.get("set-cookie")).toMatch(
    new RegExp(
      `^trainyard_console_${new URL(url).port}=[\\w-]{43}; Path=/_local; Max-Age=2592000; HttpOnly; SameSite=Strict$`,
    ),
  );
  expect((await openAt(url, "a wrong code")).status).toBe(403);
  expect(await status("/_local/runs", { cookie })).toBe(200);
  expect(await status("/_local/runs")).toBe(401);
  expect(await status("/_local/runs", { cookie: `${cookie}x` })).toBe(401);
  for (const [method, path] of [
    ["POST", "/_local/reset"],
    ["GET", "/_local/logs"],
    ["GET", "/_local/clock"],
    ["DELETE", "/_local/faults"],
    ["GET", "/v1/preview/models/x/checkpoints"],
  ] as const) {
    expect([path, await status(path, { cookie }, method)]).toEqual([path, 401]);
  }
  // Pages of another port of this machine send the cookie too.
  expect(await status("/_local/runs", { cookie, origin: "http://127.0.0.1:3000" })).toBe(401);
  expect(await status("/_local/runs", { cookie, "sec-fetch-site": "same-site" })).toBe(401);
  expect(
    (await fetch(`${url}/_local/runs`, { headers: { origin: "http://127.0.0.1:3000" } })).headers.has(
      "access-control-allow-credentials",
    ),
  ).toBe(false);
  await server.end();
});

it("redirects browsers to its pages, under a policy without exceptions", async () => {
  const { server, url } = await makeConsole();
  const home = await fetch(url, { headers: { Accept: "text/html" }, redirect: "manual" });
  expect([home.status, home.headers.get("location")]).toEqual([303, "console/"]);
  expect((await fetch(url)).status).toBe(404);
  const page = await fetch(`${url}/console/runs/x?step=2`);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';(?!.*unsafe)/);
  await server.end();
});

it("keeps the access over a restart, until there is another control key", async () => {
  const data = temporaryFolder();
  const start = async (port = 0) => {
    const server = makeServer({ console: true, data });
    const url = await server.listen({ port });
    const status = async (cookie: string) => (await fetch(`${url}/_local/runs`, { headers: { cookie } })).status;
    return { server, url, status, port: Number(new URL(url).port) };
  };
  const first = await start();
  // A key with the right to read opens the console, too.
  const opened = await openAt(first.url, readFileSync(join(data, "control.key"), "utf8"));
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  await first.server.end();
  const second = await start(first.port);
  expect(await second.status(cookie)).toBe(200);
  await second.server.end();
  rmSync(join(data, "control.key"));
  const third = await start(first.port);
  expect(await third.status(cookie)).toBe(401);
  await third.server.end();
});

it("refuses names of a query and of a task that it does not have, and names the nearest one", async () => {
  const server = makeServer();
  const { training } = server.clients();
  const { id } = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const { baseUrl, apiKey, fetch: send } = server.connect("local");
  const ask = async (path: string) => {
    const response = await send(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } });
    return [response.status, await response.json()];
  };
  for (const [path, name, cure] of [
    [`/runs/${id}/rollouts?flga=cut`, "flga", " Did you mean flag?"],
    [`/runs/${id}/rollouts?metdata.dataset=gsm8k`, "metdata.dataset", " Did you mean metadata.dataset?"],
    [`/runs/${id}/rollouts?metrics.a=1&limit=1`, "metrics.a", " Did you mean metric.a?"],
    [`/runs/${id}/rollouts?metric=a`, "metric", " Did you mean metric.<name>?"],
    [`/runs/${id}/groups?at=4`, "at", ""],
    [`/runs/${id}/curve?spilt=val`, "spilt", " Did you mean split?"],
    [`/runs/${id}/tasks?form=3`, "form", " Did you mean from?"],
    ["/compare?runs=x&spilt=val", "spilt", " Did you mean split?"],
    [`/runs?offset=4`, "offset", ""],
    [`/runs/${id}?whatever=1`, "whatever", ""],
  ] as const) {
    const msg = `There is no query parameter ${name}.${cure}`;
    expect(await ask(path)).toEqual([422, { detail: [{ loc: ["query", name], msg, type: "extra_forbidden" }] }]);
  }
  expect((await ask(`/runs/${id}/rollouts?metadata.a=1&metadata.a=!2&metric.b=..4&flag=cut&flag=!stale`))[0]).toBe(200);
  expect((await ask(`/runs/${id}/rollouts?metric.b=much`))[0]).toBe(422);
  expect((await ask(`/runs/${id}/rollouts/search?text=-a`))[0]).toBe(422);
  const task = "../a b/<i>?é";
  const group = { metadata: { task }, trajectories: [{ reward: 1 }] };
  await training.models.log(id, { split: "train", trajectory_groups: [group] });
  expect(await ask(`/runs/${id}/tasks/${encodeURIComponent(task)}`)).toMatchObject([200, { summary: { task } }]);
  const unknown = { detail: expect.stringContaining("does not have this task") };
  expect(await ask(`/runs/${id}/tasks/unknown`)).toMatchObject([404, unknown]);
  await server.end();
});

it("is off by default", async () => {
  const server = makeServer();
  const url = await server.listen({ port: 0 });
  expect(server.consoleUrl()).toBeUndefined();
  expect((await fetch(`${url}/console/`)).status).toBe(404);
  await server.end();
});

it("returns changes as they happen, and stops waiting once the server closes", async () => {
  const server = makeServer({ console: true });
  const local = server.connect("local");
  const { training } = server.clients();
  const { seq } = await shown(local, "/changes", {});
  const waiting = shown(local, "/changes", {}, { after: seq, wait_ms: 20_000 });
  const model = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const change = await waiting;
  expect(change.runs).toEqual([model.id]);
  await training.models.log(model.id, {
    split: "val",
    trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 0 }], metadata: { task: "t" } }],
  });
  const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [] });
  await until(async () => (await training.trainingJobs.get(job.id)).status === "failed");
  const { run, splits, jobs } = await shown(local, "/runs/{run_id}", { run_id: model.id });
  expect({ ...run, created_at: "", last_at: "" }).toMatchObject({
    state: "failed",
    step: 0,
    rollouts: 2,
    reward: [0.5],
  });
  expect([splits, jobs]).toEqual([["val"], 1]);
  for (const group of await allShown(local, "groups", model.id)) {
    expect(group).toMatchObject({ name: "t", mean: 0.5, sd: 0.5, rewards: [1, 0] });
    expect(
      (await shown(local, "/runs/{run_id}/groups/{group_id}", { run_id: model.id, group_id: group.id })).attempts.map(
        ({ advantage }) => advantage,
      ),
    ).toEqual([1, -1]);
  }
  const seen = await allShown(local, "rollouts", model.id, { limit: 1 });
  expect(seen.map(({ id }) => id).toSorted()).toEqual(["1.0.0", "1.0.1"]);
  const [failed] = await allShown(local, "jobs", model.id);
  expect(failed).toMatchObject({ status: "failed", kind: "rl", attempts: 1 });
  const ofJob = { run_id: model.id, job_id: job.id };
  for (const event of (await shown(local, "/runs/{run_id}/jobs/{job_id}/events", ofJob)).data)
    expect(event.created_at).not.toBeNull();
  expect(await shown(local, "/runs/{run_id}/jobs/{job_id}/log", ofJob)).toEqual({
    attempt: 1,
    lines: [],
    cut: false,
  });
  expect((await shown(local, "/runs/{run_id}/curve", { run_id: model.id }, { split: "val" })).mean).toEqual([0.5]);
  await expect(allShown(local, "rollouts", model.id, { after: "1.9.9" })).rejects.toMatchObject({ status: 422 });
  await expect(shown(local, "/runs/{run_id}", { run_id: "none" })).rejects.toMatchObject({ status: 404 });
  const late = shown(local, "/changes", {}, { after: (await shown(local, "/changes", {})).seq, wait_ms: 30_000 });
  // Once this one is answered, the one before is waiting.
  await shown(local, "/changes", {});
  await server.end();
  expect(await late).toMatchObject({ runs: [] });
});

it("keeps each route of a run from keys of other entities, and from requests without a key", async () => {
  const server = makeServer({ console: true });
  const { training } = server.clients("team-1");
  const { id } = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const routes = readContracts()
    .flatMap(({ name, document }) => (name === "local" ? document.operations : []))
    .filter(({ path }) => path.startsWith("/runs/{run_id}"));
  expect(routes.length).toBeGreaterThan(12);
  const [own, other] = [server.connect("local", "team-1"), server.connect("local", "team-2")];
  for (const { name, path } of routes) {
    const query = name === "runs.rollouts.search" ? "?text=a" : "";
    const address = path.replace("{run_id}", id).replaceAll(/\{\w+\}/g, "none") + query;
    const { status: ofOther, text } = await answerTo(other, address);
    expect([name, ofOther]).toEqual([name, 404]);
    expect(text).not.toContain(id);
    expect([name, (await answerTo({ ...own, apiKey: "none" }, address)).status]).toEqual([name, 401]);
    expect([200, 404]).toContain((await answerTo(own, address)).status);
  }
  const { seq } = await shown(own, "/changes", {});
  expect(await shown(other, "/changes", {}, { after: seq - 1000 })).toMatchObject({ runs: [] });
  await server.end();
});

const answerTo = async (connection: Connection, path: string) => {
  const response = await send(connection, path);
  return { status: response.status, text: await response.text() };
};
