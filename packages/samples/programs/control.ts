import { createLocalClient } from "@trainyard/local";
import { createServer } from "@trainyard/server";
import { createTrainingClient } from "@trainyard/training";

const server = createServer();
const local = createLocalClient(server.connect("local"));
const training = createTrainingClient(server.connect("training"));

await local.clock.set({ now: "2026-11-04T09:15:00Z", frozen: true });
await local.faults.plan({ operation: "models.create", status: 503, times: 2 });
const model = await training.models.create(
  { project: "support-desk", name: "agent-1", base_model: "demo/tiny" },
  { idempotencyKey: "agent-1" },
);
console.log("created after two failures", model.name);

await training.models.log(model.id, {
  split: "val",
  trajectory_groups: [{ trajectories: [{ reward: 1 }] }],
});
for await (const { step, split } of local.logs.list({ model_id: model.id })) {
  console.log("logged at step", step, "to", split);
}
await local.state.reset();
await server.close();
