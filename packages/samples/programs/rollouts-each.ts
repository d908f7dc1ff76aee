import { appendFileSync, existsSync, readFileSync } from "node:fs";
import {
  ConflictError,
  createTrainingClient,
  modelName,
} from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";

const training = createTrainingClient({ maxRetries: 5 });
const modelId = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
const model = modelName(
  { entity: "harbor", project: "support-desk", name: "agent-1" },
  { step: "latest" },
);

// The stations that are logged, one per line. The next run continues with the others.
const notes = process.env["ROLLOUTS_DONE"] ?? "rollouts-done.txt";
const done = new Set(
  existsSync(notes) ? readFileSync(notes, "utf8").split("\n") : [],
);
const stations = ["Voss", "Bergen", "Myrdal", "Finse", "Geilo", "Gol"];
const left = stations.filter((station) => !done.has(station));

const groups = gatherGroups.each(
  left,
  (station, { signal }) =>
    recordTrajectory(training, async (recorded) => {
      const content = `When does the next train leave ${station}?`;
      const { choices } = await recorded.chat.completions.create(
        { model, messages: [{ role: "user", content }] },
        { signal },
      );
      return { reward: choices[0]?.message.content?.includes(":") ? 1 : 0 };
    }),
  { attempts: 4, concurrency: 16, buffer: 4 },
);

for await (const group of groups) {
  try {
    await training.models.log(
      modelId,
      { split: "train", trajectory_groups: [group] },
      // The key is the same in each run, so a station is never logged twice.
      { idempotencyKey: `stations-1-${group.task}` },
    );
  } catch (error) {
    // An earlier run logged this station, and was killed before it wrote it down.
    if (!(error instanceof ConflictError)) throw error;
  }
  appendFileSync(notes, `${group.task}\n`);
  console.log(`logged ${group.task}`);
}
