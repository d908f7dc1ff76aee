import { expect, it } from "vitest";
import type { TrainingClient } from "@trainyard/training";
import { send, sharedServer, until } from "./lib.ts";
import { ended, newModel, script, scriptedTrainer } from "./trainers.ts";

// Pages of lists, as far as the reference model in stories.ts does not cover them.
const server = sharedServer({ trainer: scriptedTrainer });

async function jobWith(training: TrainingClient, steps: number) {
  const { id } = await newModel(training);
  const events = Array.from({ length: steps }, (_, loss) => ["say", "gradient_step", { loss }]);
  const groups = script(["start"], ...events, ["end"]);
  const job = await training.trainingJobs.createRl({ model_id: id, trajectory_groups: groups });
  expect(await ended(training, job.id)).toMatchObject({ status: "completed" });
  return { model: id, job: job.id };
}

it("returns 20 items a page with the first and last id, and an empty page after the last", async () => {
  const { training } = server.clients("team-0");
  const { job } = await jobWith(training, 23);
  const page = async (query: string): Promise<Record<string, unknown>> => {
    const response = await send(
      server.connect("training", "team-0"),
      `/v1/preview/training-jobs/${job}/events${query}`,
    );
    return Object(await response.json());
  };
  const first = await page("");
  const ids = (found: Record<string, unknown>) => Array.from(Object(found["data"]), (item) => Object(item).id);
  expect([first["object"], ids(first).length, first["has_more"]]).toEqual(["list", 20, true]);
  expect([first["first_id"], first["last_id"]]).toEqual([ids(first)[0], ids(first)[19]]);
  const second = await page(`?after=${ids(first)[19]}`);
  expect([ids(second).length, second["has_more"]]).toEqual([5, false]);
  expect(await page(`?after=${ids(second)[4]}`)).toEqual({
    object: "list",
    data: [],
    first_id: "",
    last_id: "",
    has_more: false,
  });
  // A page after a cursor is stable: it has the items that follow it in the whole list.
  const whole = await page("?limit=100");
  expect(ids(whole)).toEqual([...ids(first), ...ids(second)]);
  expect(ids(await page(`?after=${ids(whole)[9]}&limit=100`))).toEqual(ids(whole).slice(10));
});

it("rejects a cursor of another list, and continues after a deleted one", async () => {
  const { training } = server.clients(server.fresh());
  const [one, other] = await Promise.all([jobWith(training, 0), jobWith(training, 0)]);
  const { data: checkpoints } = await training.models.checkpoints.list(one.model);
  const { data: events } = await training.trainingJobs.events.list(one.job);
  const [checkpoint, event] = [checkpoints[0]?.id ?? "", events[0]?.id ?? ""];
  const refused = { status: 422, body: { detail: [{ loc: ["query", "after"], type: "value_error" }] } };
  for (const after of [event, other.model, "nothing"]) {
    await expect(training.models.checkpoints.list(one.model, { after })).rejects.toMatchObject(refused);
  }
  await expect(training.models.checkpoints.list(other.model, { after: checkpoint })).rejects.toMatchObject(refused);
  for (const after of [checkpoint, "nothing"]) {
    await expect(training.trainingJobs.events.list(one.job, { after })).rejects.toMatchObject(refused);
  }
  await expect(training.trainingJobs.events.list(other.job, { after: event })).rejects.toMatchObject(refused);
  await training.models.checkpoints.delete(one.model, { steps: [0] });
  const steps = async (order: "asc" | "desc") =>
    (await training.models.checkpoints.list(one.model, { after: checkpoint, order })).data.map(({ step }) => step);
  expect([await steps("asc"), await steps("desc")]).toEqual([[1], []]);
});

it("shows a job's end together with its checkpoint", async () => {
  const { training } = server.clients(server.fresh());
  const { id } = await newModel(training);
  const job = await training.trainingJobs.createRl({ model_id: id, trajectory_groups: script(["start"], ["end"]) });
  const last = await until(async () => {
    const { data } = await training.trainingJobs.events.list(job.id);
    return data.find(({ type }) => type === "training_ended");
  });
  const { data } = await training.models.checkpoints.list(id);
  expect(data.map((checkpoint) => checkpoint.id)).toContain(
    last.type === "training_ended" && last.data["checkpoint_id"],
  );
  expect(await training.trainingJobs.get(job.id)).toMatchObject({ status: "completed", error_message: null });
});
