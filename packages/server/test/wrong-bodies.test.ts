import { expect, it } from "vitest";
import type { ServiceName } from "../src/http/service-types.ts";
import { send, sharedServer } from "./lib.ts";

// The cost of the faults in a body is linear in its length, and their report is short.

const chat = "chat.completions.create";
const server = sharedServer({ limits: { bodyValuesOf: { [`training ${chat}`]: 3e6, [`inference ${chat}`]: 3e6 } } });
const log = "/v1/preview/models/6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30/log";
const many = (item: unknown, length: number) => Array.from({ length }, () => item);
const conversation = (messages: unknown[]) => [{ trajectories: [{ messages_and_choices: messages }] }];

// Without a limit, each of these would take minutes.
it.each<[ServiceName, string, string, object]>([
  ["training", "messages of a log", log, { split: "val", trajectory_groups: conversation(many(0, 1e6)) }],
  ["training", "groups of a log", log, { split: "val", trajectory_groups: many(0, 1e6) }],
  ["training", "messages of a chat", "/v1/chat/completions", { model: "demo/tiny", messages: many(0, 1e6) }],
  ["inference", "messages of a chat", "/chat/completions", { model: "demo/tiny", messages: many({}, 1e6) }],
])("%s: a million wrong %s", { timeout: 20_000, tags: ["long"] }, async (service, _, path, body) => {
  const response = await send(server.connect(service), path, { body: JSON.stringify(body) });
  const text = await response.text();
  expect(text.length).toBeLessThan(100_000);
  if (service === "inference") {
    expect([response.status, JSON.parse(text)]).toMatchObject([400, { error: { param: "messages[0].role" } }]);
    return;
  }
  const { detail } = JSON.parse(text);
  expect([response.status, detail.length]).toEqual([422, 101]);
  expect(detail[100]).toEqual({
    loc: ["body"],
    msg: "There are more faults than are listed here.",
    type: "value_error",
  });
});

it("finds the one invalid item after many valid ones", async () => {
  const messages = [...many({ role: "user", content: "" }, 30_000), { role: "user" }];
  const body = JSON.stringify({ split: "val", trajectory_groups: conversation(messages) });
  const response = await send(server.connect("training"), log, { body });
  expect(await response.json()).toMatchObject({ detail: [{ loc: { 6: 30_000, 7: "content" }, type: "missing" }] });
});

it("reports at most a hundred faults of query and body together", async () => {
  const metrics = many({ json_path: "a", aggregations: ["no such"] }, 100);
  const body = { project_id: "a/b", start: "2026-01-01T00:00:00Z", metrics };
  const answer = async (extra: object) => {
    const response = await send(server.connect("auxiliary"), "/feedback/stats", {
      body: JSON.stringify({ ...body, ...extra }),
    });
    return [response.status, (await response.json()).detail.length];
  };
  expect(await answer({})).toEqual([422, 100]);
  expect(await answer({ granularity: "day" })).toEqual([422, 101]);
});

it("returns the status of a limit even if the list of faults is cut", async () => {
  const metrics = many({ json_path: "a", percentiles: [101] }, 200);
  const body = JSON.stringify({ project_id: "a/b", start: "2026-01-01T00:00:00Z", metrics });
  const response = await send(server.connect("auxiliary"), "/feedback/stats", { body });
  expect(response.status).toBe(400);
});
