import { createTrainingClient, modelName } from "@trainyard/training";
import { gatherGroups, recordTrajectory } from "@trainyard/training/rollouts";

// More retries than usual: many calls at once get a 429 more often.
const training = createTrainingClient({ maxRetries: 5 });
const model = modelName(
  { entity: "harbor", project: "support-desk", name: "agent-1" },
  { step: "latest" },
);
const stations = ["Voss", "Bergen", "Myrdal", "Finse"];

const groups = await gatherGroups(
  stations,
  (station, { signal }) =>
    // The calls of the recorded client become the trajectory.
    recordTrajectory(training, async (recorded) => {
      const content = `When does the next train leave ${station}?`;
      const { choices } = await recorded.chat.completions.create(
        { model, messages: [{ role: "user", content }] },
        { signal },
      );
      const correct = choices[0]?.message.content?.includes(":") ?? false;
      return {
        reward: correct ? 1 : 0,
        metrics: { correct },
        metadata: { station },
      };
    }),
  {
    attempts: 4,
    concurrency: 8,
    onProgress: ({ done, failed, total }) => {
      if (failed > total / 2) throw new Error("Most rollouts fail.");
      if (done === total) console.log(`${done} rollouts, ${failed} failed`);
    },
  },
);

await training.models.log("6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30", {
  split: "train",
  trajectory_groups: groups,
});
