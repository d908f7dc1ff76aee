import { createServer } from "@trainyard/server";
import { createTrainingClient } from "@trainyard/training";

// With state: what is created is there afterwards. In memory, and without a port.
const server = createServer();
const training = createTrainingClient({ ...server.connect("training") });

const model = await training.models.create({
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
});
const question = {
  role: "user" as const,
  content: "Does the 9:40 to Bergen carry bicycles?",
};
await training.models.log(model.id, {
  split: "val",
  trajectory_groups: [
    {
      trajectories: [
        { messages_and_choices: [question], reward: 1 },
        { reward: 0.5 },
      ],
    },
  ],
});

// The next request of this operation goes wrong, as it may one day.
server.fault({ operation: "models.checkpoints.list", status: 503 });
const { data } = await training.models.checkpoints.list(model.id);
console.log(data[0]?.metrics);
await server.close();
