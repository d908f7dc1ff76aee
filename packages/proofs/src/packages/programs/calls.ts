/** One call of each kind, for runtimes without environment and output: takes the addresses, and throws on failure. */
import { type ClientOptions, createAuxiliaryClient } from "@trainyard/auxiliary";
import { createInferenceClient } from "@trainyard/inference";
import { createTrainingClient, type Message, NotFoundError } from "@trainyard/training";
import { createTrainingHttp } from "@trainyard/training/http";

/** @throws if a call does not end as expected */
export async function callEachKind(mock: string, options: ClientOptions): Promise<void> {
  const training = createTrainingClient({ ...options, baseUrl: mock });
  const inference = createInferenceClient({ ...options, baseUrl: `${mock}/inference/v1` });
  const auxiliary = createAuxiliaryClient({ ...options, baseUrl: `${mock}/auxiliary` });

  const body = { project: "support-desk", name: "agent-1", base_model: "demo/tiny" };
  const model = await training.models.create(body, { idempotencyKey: crypto.randomUUID() });
  let checkpoints = 0;
  for await (const checkpoint of training.models.checkpoints.list(model.id)) checkpoints += checkpoint.step + 1;
  expect(checkpoints > 0, "a list has items");

  const http = createTrainingHttp({ ...options, baseUrl: mock });
  const { data } = await http.GET("/v1/preview/models/{model_id}/checkpoints", {
    params: { path: { model_id: model.id } },
  });
  expect((data?.data.length ?? 0) > 0, "a call by path returns a page");

  const messages: Message[] = [{ role: "user", content: "Does the 9:40 to Bergen carry bicycles?" }];
  const { choices } = await inference.chat.completions.create({ model: "demo/tiny", messages });
  const [choice] = choices;
  if (choice === undefined) throw new Error("The response has no choice.");
  const trajectory = { messages_and_choices: [...messages, choice], reward: 1 };
  await training.models.log(model.id, { split: "val", trajectory_groups: [{ trajectories: [trajectory] }] });

  const stream = await inference.chat.completions.create({ model: "demo/tiny", messages, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  const final = await stream.final();
  expect(text !== "" && final.choices[0]?.message.content === text, "a stream adds up to its answer");

  const stats = await auxiliary.feedback.stats({ project_id: "harbor/support-desk", start: "2026-11-04T00:00:00Z" });
  expect(stats.buckets.length > 0, "statistics have buckets");

  const controller = new AbortController();
  controller.abort();
  const aborted = await training.health.check({ signal: controller.signal }).catch((error: unknown) => error);
  expect(aborted instanceof Error && aborted.name === "AbortError", "an aborted call throws its error");

  const refused = training.models.checkpoints.list("there-is-no-such-model");
  const missing = await refused.catch((error: unknown) => error);
  expect(missing instanceof NotFoundError && missing.status === 404, "a missing resource is an error");
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not so: ${what}.`);
}
