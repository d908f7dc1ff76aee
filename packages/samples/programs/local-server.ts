import { createServer } from "@trainyard/server";
import { createTrainingClient } from "@trainyard/training";

// The server keeps what you create. It is in memory, and has no port.
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

// Plan a failure of the next request of this operation.
server.fault({ operation: "models.checkpoints.list", status: 503 });
const { data } = await training.models.checkpoints.list(model.id);
console.log(data[0]?.metrics);
await server.close();
