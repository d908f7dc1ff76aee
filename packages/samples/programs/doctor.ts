/** Judges a run from the groups and events that the program has, after each log. */
import { createTrainingClient, isLogResult } from "@trainyard/training";
import { doctor, History } from "@trainyard/training/doctor";

const training = createTrainingClient();
const model = await training.models.create({
  project: "support-desk",
  name: "agent-1",
  base_model: "demo/tiny",
  return_existing: true,
});
const history = new History();

// Of your loop: the groups of a step, and the events of the job that is trained on them.
const groups = [{ trajectories: [{ reward: 1 }, { reward: 0 }] }];
const logged = await training.models.log(model.id, {
  split: "train",
  trajectory_groups: groups,
});
const step = isLogResult(logged) ? logged.step : 0;
history.log(step, groups);
const { verdict, findings, unjudged } = doctor(history);
for (const { severity, rule, text } of findings) console.log(severity, rule, text);
console.log(`step ${step}: ${verdict}, ${unjudged.length} rules could not look`);

// After the job: `history.job(step + 1, [{ type: "gradient_step", data: { loss: 0.1 } }]);
