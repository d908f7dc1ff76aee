/** Both clients can be recorded, keep their types in the rollout, and what comes of it goes into a request. */
import type OpenAI from "openai";
import { expectTypeOf } from "vitest";
import { gatherGroups, recordTrajectory, type GatheredGroup } from "../src/rollouts/index.ts";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  EventStream,
  TrainingClient,
  Trajectory,
  TrajectoryGroup,
} from "../src/index.ts";

declare const training: TrainingClient;
declare const openai: OpenAI;
const chat = { model: "demo/tiny", messages: [{ role: "user" as const, content: "When?" }] };

const ours = await recordTrajectory(training, async (recorded) => {
  expectTypeOf(recorded).toEqualTypeOf<TrainingClient>();
  expectTypeOf(await recorded.chat.completions.create(chat)).toEqualTypeOf<ChatCompletion>();
  const stream = await recorded.chat.completions.create({ ...chat, stream: true });
  expectTypeOf(stream).toEqualTypeOf<EventStream<ChatCompletionChunk, ChatCompletion>>();
  return { reward: 1, metrics: { hops: 2, late: false }, metadata: { line: null } };
});
expectTypeOf(ours).toEqualTypeOf<Trajectory>();

const theirs = await recordTrajectory(openai, async (recorded) => {
  expectTypeOf(recorded).toEqualTypeOf<OpenAI>();
  expectTypeOf(await recorded.chat.completions.create(chat)).toExtend<OpenAI.ChatCompletion>();
  return 1;
});

// Nothing to say is fine; what a trajectory does not have is not.
void recordTrajectory(openai, async () => {});
// @ts-expect-error: `reward`
void recordTrajectory(openai, async () => ({ rewards: 1 }));
// @ts-expect-error: what was recorded is not to be given
void recordTrajectory(openai, async () => ({ messages_and_choices: [] }));
// @ts-expect-error: no client of chats
void recordTrajectory({ models: training.models }, async () => 1);

const groups = await gatherGroups(["Voss"], (task, { attempt, signal }) => {
  expectTypeOf(task).toEqualTypeOf<string>();
  expectTypeOf(attempt).toEqualTypeOf<number>();
  expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
  return task === "Voss" ? ours : theirs;
});
expectTypeOf(groups).toEqualTypeOf<GatheredGroup[]>();
const plain: TrajectoryGroup[] = groups;
void training.models.log("id", { split: "train", trajectory_groups: groups });
void training.trainingJobs.createRl({ model_id: "id", trajectory_groups: plain });
