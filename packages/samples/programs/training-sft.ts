import { createTrainingClient } from "@trainyard/training";

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: "agent-sft",
  base_model: "demo/tiny",
  return_existing: true,
});

// JSON Lines, one conversation per line: {"messages": […], "tools": […]}.
const job = await training.trainingJobs.createSft({
  model_id: model.id,
  training_data_url: "artifact:///harbor/support-desk/conversations:v3",
  config: { batch_size: "auto", assistant_turns: "all" },
});
const checkpoint = await training.trainingJobs.wait(job.id);
console.log("step", checkpoint.step, checkpoint.metrics);
