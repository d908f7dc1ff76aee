/** Trains with a server that has another training document, and prints what a client of that document reads. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as trainingClient from "@trainyard/training";

const [bundle = "", entry = "", lines = ""] = process.argv.slice(2);
const require = createRequire(import.meta.url);
// The server has not read its documents yet, so it uses the other one.
Object.assign(require("@trainyard/training/openapi.json"), JSON.parse(readFileSync(bundle, "utf8")));

const { createServer } = await import("@trainyard/server");
const { createTrainingClient }: typeof trainingClient = await import(entry);

const trainer = `process.stdin.resume().on("end", () => process.stdout.write(${JSON.stringify(lines)}))`;
const server = createServer({
  keys: [{ key: "a-key", entity: "harbor" }],
  trainer: { command: [process.execPath, "-e", trainer] },
  checkAnswers: true,
});
const training = createTrainingClient(server.connect("training"));
const model = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
const { id } = await training.trainingJobs.createRl({
  model_id: model.id,
  trajectory_groups: [{ trajectories: [{ reward: 1 }] }],
});
const followed: unknown[] = [];
for await (const { type, data } of training.trainingJobs.follow(id)) followed.push({ type, data });
const { data } = await training.trainingJobs.events.list(id);
const listed = data.map((event) => ({ type: event.type, data: event.data }));
console.log(JSON.stringify({ followed, listed, violations: server.violations() }));
await server.close();
