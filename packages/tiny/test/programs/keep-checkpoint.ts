// A trainer that does not train: its checkpoint is a model that says one sentence.
import { json } from "node:stream/consumers";
import { parseJob } from "../../src/training/job.ts";
import { writeCheckpoint } from "../../src/checkpoint/checkpoint.ts";
import { smallModel } from "../lib.ts";

const { model, output } = parseJob(JSON.stringify(await json(process.stdin)));
console.log(JSON.stringify({ type: "training_started", data: { num_sequences: 1 } }));
const { entity, project, name } = model;
await writeCheckpoint(output.directory, smallModel(), {
  model: { entity, project, name },
  step: output.step,
  base_model: "demo/tiny",
});
console.log(JSON.stringify({ type: "training_ended", data: {} }));
