import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalClient } from "@trainyard/local";
import { afterAll, expect, it } from "vitest";
import { isObject } from "@trainyard/core/validation";
import { importFile, type ImportFileOptions } from "../src/cli/import.ts";
import type { ImportKind } from "../src/index.ts";
import { temporaryFolder } from "./folders.ts";
import { sharedServer, shown } from "./lib.ts";

const server = sharedServer();
const folder = temporaryFolder(afterAll);
let files = 0;

function fileOf(lines: (object | string)[]): string {
  const file = join(folder, `${files++}.jsonl`);
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return file;
}

function bring(kind: ImportKind, file: string, options: ImportFileOptions = {}) {
  const faults: string[] = [];
  const client = createLocalClient(server.connect("local"));
  const fault: ImportFileOptions["fault"] = ({ line, message }) => void faults.push(`${line}: ${message}`);
  const done = importFile(kind, file, client, { fault, ...options });
  return { done, faults };
}

const feedback = (project: string, index: number) => ({
  id: `f${index}`,
  project_id: project,
  created_at: "2024-01-01T00:00:00Z",
  feedback_type: "x",
  payload: { score: index },
});

async function countOf(entity: string, project: string) {
  const body = {
    project_id: project,
    start: "2024-01-01T00:00Z",
    end: "2024-01-01T01:00Z",
    metrics: [{ json_path: "score", aggregations: ["sum" as const] }],
  };
  const { buckets } = await server.clients(entity).auxiliary.feedback.stats(body);
  return buckets[0]?.count;
}

it("imports a large file completely, and again without a change", { tags: ["long"] }, async () => {
  const entity = server.fresh();
  const project = `${entity}/p`;
  const file = fileOf(["", ...Array.from({ length: 2500 }, (_, index) => feedback(project, index)), ""]);
  expect(await bring("feedback", file).done).toBe(2500);
  expect(await countOf(entity, project)).toBe(2500);
  expect(await bring("feedback", file).done).toBe(2500);
  expect(await countOf(entity, project)).toBe(2500);
});

it("ends a line at a line feed only, with or without a carriage return", async () => {
  const lines = ["\u2028", "\u2029", "\u0085"].map((text, index) =>
    JSON.stringify({ ...feedback(`${server.fresh()}/p`, index), payload: { text } }),
  );
  expect(await bring("feedback", fileOf([`${lines.join("\r\n")}\r\n`])).done).toBe(3);
});

it("names every invalid line, and imports nothing", async () => {
  const entity = server.fresh();
  const project = `${entity}/p`;
  const good = Array.from({ length: 1200 }, (_, index) => feedback(project, index));
  const { created_at: _, ...bad } = feedback(project, 0);
  const lines = [
    ...good,
    "{",
    bad,
    { ...feedback(project, 1), extra: 1 },
    { ...feedback(project, 1), created_at: "1600-01-01T00:00:00Z" },
    ...good,
    { ...feedback("p", 1) },
  ];
  const { done, faults } = bring("feedback", fileOf(lines));
  await expect(done).rejects.toThrow("5 of 2405 lines are invalid. Nothing was imported.");
  expect(faults.map((fault) => fault.split(":")[0])).toEqual(["1201", "1202", "1203", "1204", "2405"]);
  expect(faults[1]).toContain("created_at");
  expect(await countOf(entity, project)).toBe(0);
});

it("resumes an interrupted import, and shows nothing before its end", async () => {
  const entity = server.fresh();
  const project = `${entity}/p`;
  const file = fileOf(Array.from({ length: 3500 }, (_, index) => feedback(project, index)));
  const first = bring("feedback", file, {
    progress: (lines) => {
      if (lines === 3000) throw new Error("It was interrupted.");
    },
  });
  await expect(first.done).rejects.toThrow("interrupted");
  expect(await countOf(entity, project)).toBe(0);
  const sent: number[] = [];
  const connection = server.connect("local");
  const fetch: typeof connection.fetch = async (input, init) => {
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    if (isObject(body) && "from" in body) sent.push(Number(body["from"]));
    return connection.fetch(input, init);
  };
  expect(await importFile("feedback", file, createLocalClient({ ...connection, fetch }), {})).toBe(3500);
  expect(sent[0]).toBeGreaterThan(0);
  expect(await countOf(entity, project)).toBe(3500);
});

it.each([
  ["objects", { project_id: "a/b", object_id: "o" }, "either val"],
  ["objects", { project_id: "a", object_id: "o", val: 1 }, "project_id"],
  ["objects", { project_id: "a/b", object_id: "o", val: 1, digest: "x" }, "either val"],
  ["hardware", { model: "m", id: "i", name: "n", type: "t" }, "pricing"],
  [
    "hardware",
    {
      id: "i",
      name: "n",
      type: "t",
      pricing: { cents_per_million_input_tokens: 1, cents_per_million_output_tokens: 1 },
    },
    "model",
  ],
  ["artifacts", { messages: [{ role: "robot" }] }, "messages[0].role"],
  ["artifacts", { prompt: "a" }, "messages"],
  ["models", { id: "1", entity: "a", project: "b", name: "c", base_model: "d" }, "id: "],
  ["models", { id: "5d0c3b6e-0000-4000-8000-000000000000", checkpoints: [{ step: "1" }] }, "checkpoints[0].step"],
  ["jobs", { id: "5d0c3b6e-0000-4000-8000-000000000000", status: "queued", events: [] }, "status"],
  ["jobs", { events: [{ type: "training_started", data: {} }] }, "events[0]"],
  ["feedback", { ...feedback("a/b", 1), payload: { x: "y".repeat(2 ** 20) } }, "payload: It is larger"],
] as const)("reports the fault in a line of %s", async (kind, line, message) => {
  const { done, faults } = bring(kind, fileOf([line]), { as: "artifact:///a/b/c:d" });
  await expect(done).rejects.toThrow("1 of 1 lines");
  expect(faults[0]).toContain(message);
});

const model = (entity: string, id: string, name = "agent-1") => ({
  id,
  entity,
  project: "p",
  name,
  base_model: "demo/tiny",
});
const event = (type: string, data: object) => ({ id: randomUUID(), type, data });

it("imports models and their jobs with their original ids", async () => {
  const entity = server.fresh();
  const { training } = server.clients(entity);
  const [id, jobId, checkpointId] = [randomUUID(), randomUUID(), randomUUID()];
  const checkpoints = [{ id: checkpointId, step: 3, metrics: { "val/reward": 0.5 } }];
  const events = [event("training_started", { num_sequences: 1 }), event("training_ended", { step: 3 })];
  const training_data_url = `artifact:///${entity}/p/data:v1`;
  const job = { id: jobId, model_id: id, kind: "sft", status: "completed", training_data_url, events };
  for (let times = 0; times < 2; times++) {
    expect(await bring("models", fileOf([{ ...model(entity, id), checkpoints }])).done).toBe(1);
    expect(await bring("jobs", fileOf([job])).done).toBe(1);
  }
  expect((await training.models.checkpoints.list(id)).data).toEqual(checkpoints);
  expect((await training.trainingJobs.events.list(jobId)).data).toEqual(events);
  // The imported job counts as the job of this model and data, and the model continues from its newest step.
  expect(await training.trainingJobs.createSft({ model_id: id, training_data_url })).toMatchObject({ id: jobId });
  expect(await training.models.checkpoints.delete(id, { steps: [3] }).catch(({ status }) => status)).toBe(409);
});

it("shows the figures of an imported job after another import replaced them", async () => {
  const entity = server.fresh();
  const [id, jobId, checkpoint] = [randomUUID(), randomUUID(), randomUUID()];
  const local = server.connect("local");
  await bring("models", fileOf([{ ...model(entity, id), checkpoints: [{ id: checkpoint, step: 1, metrics: {} }] }]))
    .done;
  const { seq: start } = await shown(local, "/changes", {});
  let seq = start;
  for (const loss of [0.5, 0.25]) {
    const events = [event("gradient_step", { loss }), event("training_ended", { step: 1, checkpoint_id: checkpoint })];
    const job = { id: jobId, model_id: id, kind: "sft", status: "completed", events };
    await bring("jobs", fileOf([job])).done;
    expect((await shown(local, "/runs/{run_id}/curve", { run_id: id })).training).toEqual({
      step: [1],
      metrics: { loss: [loss] },
    });
    const changes = await shown(local, "/changes", {}, { after: seq });
    expect(changes.runs).toContain(id);
    ({ seq } = changes);
  }
});

it("imports a model without listed checkpoints, and rejects contradictions", async () => {
  const entity = server.fresh();
  const [id, other] = [randomUUID(), randomUUID()];
  await bring("models", fileOf([model(entity, id)])).done;
  const { data } = await server.clients(entity).training.models.checkpoints.list(id);
  expect(data).toEqual([{ id: expect.any(String), step: 0, metrics: {} }]);
  const refused = [
    ["models", model(entity, other), "has a model agent-1 already"],
    ["models", { ...model(entity, other, "agent-2"), checkpoints: [{ ...data[0], step: 1 }] }, "belongs to another"],
    ["jobs", { id: other, model_id: other, kind: "rl", status: "failed", events: [] }, "Import the job's model first."],
  ] as const;
  for (const [kind, line, message] of refused) await expect(bring(kind, fileOf([line])).done).rejects.toThrow(message);
});

it("rejects lines that contradict existing data, and does not change the data", async () => {
  const as = "artifact:///a/b/c:v1";
  expect(await bring("artifacts", fileOf([{ messages: [] }]), { as }).done).toBe(1);
  expect(await bring("artifacts", fileOf([{ messages: [] }, ""]), { as }).done).toBe(1);
  await expect(bring("artifacts", fileOf([{ messages: [] }, { messages: [] }]), { as }).done).rejects.toThrow(
    "Choose a new version",
  );
  await expect(bring("artifacts", fileOf([{ messages: [] }])).done).rejects.toThrow("--as artifact:///");
  await expect(bring("artifacts", join(folder, "none.jsonl"), { as }).done).rejects.toThrow(
    "none.jsonl cannot be read",
  );
  const change = { project_id: "a/b", object_id: "none", digest: "x", tags: ["t"] };
  await expect(
    bring("objects", fileOf([{ project_id: "a/b", object_id: "new", val: 1 }, change])).done,
  ).rejects.toThrow("Line 2 changes a version");
  const read = server
    .clients("team-0")
    .auxiliary.objects.read({ project_id: "a/b", object_id: "new", digest: "latest" });
  await expect(read).rejects.toMatchObject({ status: 404 });
});
