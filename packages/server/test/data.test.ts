import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { migrations } from "../src/store/migrations.ts";
import { temporaryFolder } from "./folders.ts";
import { allShown, makeServer, until } from "./lib.ts";
import { quickTrainer } from "./programs/quick-trainer.ts";

// A data file of each version, so that a change of the schema is tested with the files that users have. After a new step of
// the migrations, the last test names the command that writes the new file.
const folder = join(import.meta.dirname, "data");
const newest = `v${migrations.length}.sqlite.zst`;
const entity = "team-0";
const window = { project_id: `${entity}/p`, start: "2026-11-04T00:00:00Z", end: "2026-11-05T00:00:00Z" };

/** Writes one record of each kind. */
async function write(data: string): Promise<void> {
  const server = makeServer({ data, trainer: { command: quickTrainer() } });
  const { training } = server.clients(entity);
  const model = await training.models.create({ project: "p", name: "kept", base_model: "demo/tiny" });
  const groups = [
    { trajectories: [{ reward: 0.5, messages_and_choices: [{ role: "user" as const, content: "hi" }] }] },
  ];
  await training.models.log(model.id, { split: "val", trajectory_groups: groups });
  const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: groups });
  await until(async () => (await training.trainingJobs.get(job.id)).status === "completed");
  const row = { id: "f", project_id: window.project_id, created_at: window.start, feedback_type: "x" };
  await server.import("feedback", [{ ...row, payload: { score: 7 } }]);
  await server.import("objects", [{ project_id: window.project_id, object_id: "o", val: { a: 1 }, aliases: ["best"] }]);
  const pricing = { cents_per_million_input_tokens: 1, cents_per_million_output_tokens: 2 };
  await server.import("hardware", [{ model: "tiny", id: "h", name: "H", type: "gpu", pricing }]);
  await server.import("artifacts", [{ messages: [] }], { as: `artifact:///${entity}/p/qa:v1` });
  await server.end();
}

it.runIf(process.env["DATA"] === "write")("writes the data file of this version", async () => {
  const data = temporaryFolder();
  await write(data);
  writeFileSync(join(folder, newest), zstdCompressSync(readFileSync(join(data, "trainyard.sqlite"))));
});

const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".zst")) : [];

it.each(files)("opens %s, and finds all of its data", async (name) => {
  const data = temporaryFolder();
  writeFileSync(join(data, "trainyard.sqlite"), zstdDecompressSync(readFileSync(join(folder, name))));
  // Older versions read the console's pages from this file.
  if (name < "v5") writeFileSync(join(data, "console.sqlite"), "");
  const server = makeServer({ data });
  const { training, auxiliary } = server.clients(entity);
  const same = { project: "p", name: "kept", base_model: "demo/tiny", return_existing: true };
  const { id } = await training.models.create(same);
  const { data: checkpoints } = await training.models.checkpoints.list(id);
  expect(checkpoints).toMatchObject([{ step: 0, metrics: { "val/reward": 0.5 } }, { step: 1 }]);
  const logs = (await server.control.logs.list({ model_id: id })).data;
  expect(logs).toMatchObject([{ split: "val", step: 0 }]);
  const jobs = await until(async () => {
    const found = await allShown(server.connect("local"), "jobs", id);
    return found[0]?.groups === 1 && found;
  });
  expect(jobs).toMatchObject([{ status: "completed", sequences: 1 }]);
  expect(await allShown(server.connect("local"), "groups", id)).toMatchObject([
    { split: "val", rewards: [0.5], flags: ["single", "trained"] },
  ]);
  expect(existsSync(join(data, "console.sqlite"))).toBe(false);
  const { buckets } = await auxiliary.feedback.stats({ ...window, metrics: [{ json_path: "score" }] });
  expect(buckets[0]).toMatchObject({ avg_score: 7, count: 1 });
  const object = await auxiliary.objects.read({ project_id: window.project_id, object_id: "o", digest: "best" });
  expect(object.obj.val).toEqual({ a: 1 });
  expect((await auxiliary.hardware.list({ model: "tiny" })).hardware).toMatchObject([{ id: "h" }]);
  await server.end();
});

it.skipIf(process.env["DATA"] === "write")("has a file of the newest version", () => {
  expect(files, "Write it with: DATA=write npx -y pnpm@12 exec vitest run --project server test/data").toContain(
    newest,
  );
});
