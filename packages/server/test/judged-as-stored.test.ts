import fc from "fast-check";
import { expect, it } from "vitest";
import { allShown, send, sharedServer, shown } from "./lib.ts";

// What is judged is what is stored: everything that reads a log that was answered 200 answers 200.

const server = sharedServer();
const entity = server.fresh();
const own = server.connect("training", entity);
const pages = server.connect("local");
let models = 0;

const number = fc.constantFrom("0", "-0", "1.0", "1e2", "5e-324", "1e308", "1e400", "-1e999", "9".repeat(400));
const space = fc.constantFrom("", " ", "\r\n\t");
const body = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF", "\uFEFF\uFEFF"),
    around: space,
    reward: number,
    metric: number,
    free: number,
    text: fc.constantFrom("x", "\\ud800", "\\u0000", "\uFEFF", "é"),
    // The long ones are judged in a thread.
    length: fc.constantFrom(1, 2 ** 20 + 1),
  })
  .map(({ mark, around, reward, metric, free, text, length }) => {
    const message = `{"role":"user","content":"${text}${"y".repeat(length)}"}`;
    const trajectory = `{"reward":${reward},"metrics":{"m":${metric}},"x":${free},"messages_and_choices":[${message}]}`;
    return `${mark}${around}{"split":"val","trajectory_groups":[{"trajectories":[${trajectory}]}]}${around}`;
  });

it("answers 200 to all reads of a log that was answered 200, and refuses numbers that are infinite", async () => {
  const { training } = server.clients(entity);
  const property = fc.asyncProperty(body, async (sent) => {
    const { id } = await training.models.create({ project: "p", name: `n${++models}`, base_model: "demo/tiny" });
    const { status } = await send(own, `/v1/preview/models/${id}/log`, { body: sent });
    const isInfinite = /"(reward|m)":(1e400|-1e999|9{400})/.test(sent);
    expect([status, isInfinite || sent.startsWith("\uFEFF\uFEFF")]).toEqual([status, status === 422]);
    expect(status === 422 || status === 200).toBe(true);
    if (status === 422) return;
    expect((await server.control.logs.list({ model_id: id })).data).toHaveLength(1);
    const ofRun = { run_id: id };
    const groups = await allShown(pages, "groups", id);
    await shown(pages, "/runs/{run_id}/groups/{group_id}", { ...ofRun, group_id: groups[0]?.id ?? "" });
    await allShown(pages, "rollouts", id);
    for (const path of [`/runs/${id}/rollouts.jsonl`, `/runs/${id}/rollouts/search?text=y`, `/runs/${id}/marks`]) {
      const response = await send(pages, path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).not.toContain('"error"');
    }
  });
  await fc.assert(property, { numRuns: 60 });
});

it("stores a job without the byte order mark of its body", async () => {
  const { training } = server.clients(entity);
  const model = await training.models.create({ project: "p", name: `n${++models}`, base_model: "demo/tiny" });
  const sent = `\uFEFF{"model_id":"${model.id}","trajectory_groups":[{"trajectories":[{"reward":1}]}]}`;
  const response = await send(own, "/v1/preview/training-jobs", { body: sent });
  expect(response.status).toBe(200);
  for (const path of [`/runs/${model.id}/jobs`, `/runs/${model.id}`])
    expect((await send(pages, path)).status).toBe(200);
});
