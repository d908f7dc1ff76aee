import type { RolloutLine } from "@trainyard/local";
import { expect, it } from "vitest";
import { allShown, send, sharedServer, shown } from "../lib.ts";
import { plainCurve, type PlainGroup, type PlainLog } from "./plain-reading.ts";
import { generator } from "./rollouts.ts";

const server = sharedServer({ console: true });
const { control } = server;

/** A run with more attempts than one piece of an export has, and what was logged to it. */
async function makeRun(name = "agent-1") {
  const { training } = server.clients(server.fresh());
  const { id } = await training.models.create({ project: "p", name, base_model: "demo/tiny" });
  const random = generator(5);
  const logs: PlainLog[] = [];
  for (let count = 0; count < 12; count++) {
    const groups = Array.from({ length: 4 }, (_, index) => randomGroup(random, `task-${(count + index) % 3}`));
    const log = { step: 0, split: random() < 0.7 ? "train" : "val", groups };
    logs.push(log);
    await training.models.log(id, { split: log.split, trajectory_groups: groups as never });
  }
  return { id, logs, training };
}

function randomGroup(random: () => number, task: string): PlainGroup {
  return {
    metadata: { task },
    trajectories: Array.from({ length: 8 }, () => ({
      messages_and_choices: [
        { role: "user", content: `Where is it? ${random()}` },
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: "On its “way”,\n日本 \u2028" } },
      ],
      reward: Math.round(random() * 4) / 4,
      ...(random() < 0.5 && { metrics: { m: random() } }),
    })),
    ...(random() < 0.3 && { exceptions: [{ type: "Timeout", message: "late", traceback: "" }] }),
  } as PlainGroup;
}

/** The expected lines, calculated only from the bodies. */
function plainLines(logs: readonly PlainLog[]) {
  return logs.flatMap(({ split, groups }) =>
    groups.flatMap((group) => [
      ...group.trajectories.map((trajectory) => ({ split, group, trajectory, exception: null })),
      ...(group.exceptions ?? []).map((exception) => ({ split, group, trajectory: null, exception })),
    ]),
  );
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RolloutLine);

const filters: [object, (line: ReturnType<typeof plainLines>[number]) => boolean][] = [
  [{}, () => true],
  [{ split: "val" }, ({ split }) => split === "val"],
  [{ reward: "0.5..0.75" }, ({ trajectory }) => [0.5, 0.75].includes(Number(trajectory?.reward))],
  [{ flag: "exception" }, ({ exception }) => exception !== null],
  [
    { filter: { "metric.m": "..0.5" }, split: "train" },
    (one) => one.split === "train" && Number(one.trajectory?.metrics?.["m"]) <= 0.5,
  ],
  [{ reward: "7.." }, () => false],
];

it("writes each attempt that matches the filter, once and as it was logged", async () => {
  const { id, logs } = await makeRun();
  await makeRun();
  for (const [query, passes] of filters) {
    const expected = plainLines(logs).filter(passes);
    const lines = linesOf(await control.runs.rollouts.export(id, { query }));
    expect(lines.map(({ split, trajectory, exception }) => ({ split, trajectory, exception }))).toEqual(
      expected.map(({ split, trajectory, exception }) => ({ split, trajectory, exception })),
    );
    // A line has what the list says of an attempt.
    const listed = await allShown(server.connect("local"), "rollouts", id, { ...query, limit: 200, sort: "step" });
    expect(lines).toMatchObject(listed);
  }
});

it("writes the curve as it results from the bodies, one row per step", async () => {
  const { id, logs } = await makeRun('a name, "quoted"');
  const text = await shown(server.connect("local"), "/runs/{run_id}/curve.csv", { run_id: id }, { split: "train" });
  const [head = [], ...rows] = text
    .trim()
    .split("\r\n")
    .map((row) => row.split(","));
  const [plain] = plainCurve(logs, "train");
  const row = Object.fromEntries(head.map((name, at) => [name, rows[0]?.[at] === "" ? null : Number(rows[0]?.[at])]));
  expect(rows).toHaveLength(1);
  expect(row).toMatchObject({ step: 0, n: plain?.n, exceptions: plain?.exceptions, "tokens.p50": plain?.p50 ?? null });
  for (const [name, value] of [
    ["mean", plain?.mean],
    ["sd", plain?.sd],
    ["metric.m", plain?.metric],
  ] as const) {
    expect(row[name]).toBeCloseTo(Number(value), 9);
  }
});

it("sets the file name and the media type", async () => {
  const { id } = await makeRun('härbor "x"');
  const connection = server.connect("local");
  const responses = [`/runs/${id}/curve.csv?split=val`, `/runs/${id}/rollouts.jsonl?reward=7..`].map(async (path) => {
    const response = await send(connection, path);
    await response.text();
    return [response.status, response.headers.get("content-type"), response.headers.get("content-disposition")];
  });
  expect(await Promise.all(responses)).toEqual([
    [200, "text/csv; charset=utf-8", 'attachment; filename="h-rbor-x--val.csv"'],
    [200, "application/jsonl; charset=utf-8", 'attachment; filename="h-rbor-x--rollouts.jsonl"'],
  ]);
});

it("breaks the download off if the run is deleted meanwhile, so that half of it is not mistaken for the whole", async () => {
  const { id, training } = await makeRun();
  // More than one piece.
  const messages_and_choices = [{ role: "user" as const, content: "x".repeat(100_000) }];
  const trajectories = Array.from({ length: 12 }, () => ({ messages_and_choices }));
  for (let log = 0; log < 3; log++)
    await training.models.log(id, { split: "train", trajectory_groups: [{ trajectories }] });
  const response = await send(server.connect("local"), `/runs/${id}/rollouts.jsonl`);
  await training.models.delete(id);
  await expect(response.text()).rejects.toThrow("The run was deleted while it was read.");
  // Who runs the server is told why the answer broke off.
  expect(server.errors.splice(0)).toMatchObject([{ message: "The run was deleted while it was read." }]);
  expect((await send(server.connect("local"), `/runs/${id}/rollouts.jsonl`)).status).toBe(404);
});

it("returns 304 while its data have not changed, and never afterwards", async () => {
  const { id, training } = await makeRun();
  const other = await makeRun();
  const connection = server.connect("local");
  const paths = ["", "/curve", "/marks", "/groups", "/rollouts?limit=3", "/jobs"].map((path) => `/runs/${id}${path}`);
  const read = async (path: string, tag?: string | null) => {
    const response = await send(connection, path, tag ? { headers: { "If-None-Match": `W/"0", ${tag}` } } : {});
    const { status, headers } = response;
    return { status, tag: headers.get("etag"), cache: headers.get("cache-control"), text: await response.text() };
  };
  for (const path of [...paths, "/runs"]) {
    const first = await read(path);
    expect(first).toMatchObject({ status: 200, tag: expect.stringMatching(/^W\/"\d+"$/), cache: "private, no-cache" });
    expect(await read(path, first.tag)).toEqual({ ...first, status: 304, text: "" });
    // A change of another run does not matter.
    await other.training.models.log(other.id, { split: "train", trajectory_groups: [] });
    expect((await read(path, first.tag)).status).toBe(path === "/runs" ? 200 : 304);
    await training.models.log(id, { split: "train", trajectory_groups: [{ trajectories: [] }] });
    const now = await read(path, first.tag);
    expect(now.status).toBe(200);
    expect(now.tag).not.toBe(first.tag);
  }
  const { tag } = await read(`/runs/${id}`);
  await training.models.delete(id);
  expect((await read(`/runs/${id}`, tag)).status).toBe(404);
});
