// Writes checkpoints into a folder until it is killed; the first weight of each is its step.
import { writeCheckpoint } from "../../src/checkpoint/checkpoint.ts";
import { TinyModel } from "../../src/model/tiny-model.ts";

const [directory = ""] = process.argv.slice(2);
const model = new TinyModel();
const names = { entity: "harbor", project: "support-desk", name: "agent-1" };
for (let step = 1; ; step++) {
  model.weights[0] = step;
  await writeCheckpoint(directory, model, { model: names, step, base_model: "demo/tiny" });
  console.log(step);
}
