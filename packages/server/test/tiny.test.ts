/** @module-tag long */
import type { TrainingJobEvent } from "@trainyard/training";
import { expect, it } from "vitest";
import { sharedServer } from "./lib.ts";

// Without other back ends, the server answers with the tiny model, and trains it.
const server = sharedServer({ trainer: undefined });
const { training, inference } = server.clients();
const ask = (content: string) => [{ role: "user" as const, content }];

async function newModel() {
  return training.models.create({ project: "support-desk", name: crypto.randomUUID(), base_model: "demo/tiny" });
}

async function follow(jobId: string): Promise<TrainingJobEvent[]> {
  const events: TrainingJobEvent[] = [];
  for await (const event of training.trainingJobs.follow(jobId, { pollMs: 20 })) events.push(event);
  return events;
}

it("makes rewarded completions of the local server's chat more likely", async () => {
  const model = await newModel();
  const name = (step: number) => `artifact:///${model.entity}/${model.project}/${model.name}:step${step}`;
  const messages = [{ role: "user" as const, content: "Is the train late?" }];
  const rollOut = async (step: number, seed: number) => {
    const { choices } = await inference.chat.completions.create({
      model: name(step),
      messages,
      n: 24,
      seed,
      logprobs: true,
    });
    return choices.map((choice) => ({
      messages_and_choices: [...messages, choice],
      reward: choice.message.content === "maybe" ? 1 : 0,
    }));
  };
  const meanOf = (list: { reward: number }[]) => list.reduce((sum, { reward }) => sum + reward, 0) / list.length;
  const before = await rollOut(0, 1);
  const job = await training.trainingJobs.createRl({
    model_id: model.id,
    trajectory_groups: [{ trajectories: before }],
  });
  const events = await follow(job.id);
  expect(events.map(({ type }) => type)).toEqual([
    "training_started",
    ...Array.from({ length: 4 }, () => "gradient_step"),
    "training_ended",
  ]);
  // Chat and training calculate the same log probabilities, so the first step starts where the answers were sampled.
  expect(events[1]).toMatchObject({
    data: { clip_fraction: 0, kl: expect.closeTo(0, 6), reward: expect.closeTo(meanOf(before), 9) },
  });
  expect((await training.trainingJobs.wait(job.id, { pollMs: 20 })).step).toBe(1);
  const after = await rollOut(1, 2);
  expect(meanOf(after)).toBeGreaterThan(meanOf(before) + 0.2);
});

it("fine-tunes ten answers on the local server, which chat then returns word for word", async () => {
  const model = await newModel();
  const pairs = [
    ["When does the harbor open?", "At six, before the tide."],
    ["When does it close?", "At ten in the evening."],
    ["Where is order 17?", "It waits at gate 4."],
    ["Where is order 23?", "It left on the morning ship."],
    ["Who is on shift tonight?", "Ada and Ben."],
    ["How do I return a parcel?", "Bring it to the desk with its ticket."],
    ["Is there a fee?", "No."],
    ["Can I pay by card?", "Yes, at the desk."],
    ["What is the largest crate?", "Two meters by one."],
    ["Grüße?", "Schöne Grüße zurück!"],
  ] as const;
  const url = `artifact:///${model.entity}/support-desk/questions:v1`;
  const records = pairs.map(([question, answer]) => ({
    messages: [...ask(question), { role: "assistant", content: answer }],
  }));
  await server.import("artifacts", records, { as: url });
  const job = await training.trainingJobs.createSft({ model_id: model.id, training_data_url: url });
  const events = await follow(job.id);
  expect(events[0]).toMatchObject({ type: "training_started", data: { num_sequences: 10 } });
  expect(events.at(-1)?.type).toBe("training_ended");
  const name = `artifact:///${model.entity}/${model.project}/${model.name}`;
  for (const [content, answer] of pairs) {
    const { choices } = await inference.chat.completions.create({
      model: name,
      messages: [{ role: "user", content }],
      temperature: 0,
    });
    expect(choices[0]?.message.content).toBe(answer);
  }
});

it("reports why a job failed on the local server, and makes no checkpoint", async () => {
  const model = await newModel();
  const choice = {
    index: 0,
    finish_reason: "stop" as const,
    message: { role: "assistant" as const, content: "yes", refusal: null },
  };
  const trajectories = [{ messages_and_choices: [...ask("Is it?"), choice], reward: 1 }];
  const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [{ trajectories }] });
  await expect(training.trainingJobs.wait(job.id, { pollMs: 20 })).rejects.toThrow(
    "trajectory_groups[0].trajectories[0].messages_and_choices[1] has no logprobs.",
  );
  const { data } = await training.models.checkpoints.list(model.id);
  expect(data.map(({ step }) => step)).toEqual([0]);
});
