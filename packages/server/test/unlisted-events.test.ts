import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createTrainingClient } from "@trainyard/training";
import * as validators from "@trainyard/training/validators";
import { expect, it } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { makeServer } from "./lib.ts";
import { quickTrainer } from "./programs/quick-trainer.ts";
import { ended } from "./trainers.ts";

// The kinds of events are extensible, so a newer release may have stored a kind that this one does not have.
it("lists an event of an unknown kind, and clients that follow the job skip it", async () => {
  const data = temporaryFolder();
  const keys = [{ key: "a-key", entity: "harbor" }];
  const first = makeServer({ data, keys, trainer: { command: quickTrainer() } });
  const training = createTrainingClient(first.connect("training"));
  const model = await training.models.create({ project: "p", name: "n", base_model: "demo/tiny" });
  const { id: jobId } = await training.trainingJobs.createRl({
    model_id: model.id,
    trajectory_groups: [{ trajectories: [{ reward: 1 }] }],
  });
  await ended(training, jobId);
  await first.end();

  const paused = { id: randomUUID(), type: "training_paused", data: { for_seconds: 7 } };
  const database = new DatabaseSync(join(data, "trainyard.sqlite"));
  const last = database.prepare("select max(seq) as seq from events where job_id = ?").get(jobId)?.["seq"];
  database.prepare("update events set seq = seq + 1 where seq = ?").run(Number(last));
  const insert = database.prepare("insert into events(seq, id, job_id, type, data) values(?, ?, ?, ?, ?)");
  insert.run(Number(last), paused.id, jobId, paused.type, JSON.stringify(paused.data));
  database.close();

  // Each response is validated by the server, and once more by the client.
  const second = makeServer({ data, keys, trainer: { command: quickTrainer() } });
  const client = createTrainingClient({ ...second.connect("training"), validators, validate: "responses" });
  const { data: events } = await client.trainingJobs.events.list(jobId);
  expect(events.map(({ type }) => type)).toEqual(["training_started", "training_paused", "training_ended"]);
  expect(events[1]).toEqual(paused);
  const followed: string[] = [];
  for await (const event of client.trainingJobs.follow(jobId)) followed.push(event.type);
  expect(followed).toEqual(events.map(({ type }) => type));
  await second.end();
});
