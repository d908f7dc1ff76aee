/** What a person may write, and what they get: narrowing, misspelled fields, defaults, mutability. */
import { expectTypeOf } from "vitest";
import { createTrainingHttp } from "../src/generated/http.ts";
import {
  type ApiPromise,
  type ChatCompletion,
  type Choice,
  type Checkpoint,
  type CreateModelRequest,
  type Issue,
  isTrainyardError,
  type Message,
  type MessageOrChoice,
  type Model,
  type TrainingClient,
  type TrainingJobEvent,
  type Trajectory,
} from "../src/index.ts";

declare const training: TrainingClient;

// A union narrows by its discriminator, and a choice by having none.
declare const item: MessageOrChoice;
if (item.role === undefined) expectTypeOf(item).toEqualTypeOf<Choice>();
else expectTypeOf(item).toEqualTypeOf<Message>();
if ("role" in item && item.role === "tool") expectTypeOf(item.tool_call_id).toEqualTypeOf<string>();

declare const event: TrainingJobEvent;
if (event.type === "training_failed") expectTypeOf(event.data.error_message).toEqualTypeOf<string>();
if (event.type === "gradient_step") expectTypeOf(event.data["loss"]).toEqualTypeOf<number | undefined>();

// A misspelled field is an error on its own line.
const misspelled: Trajectory = {
  messages_and_choices: [],
  // @ts-expect-error: `reward`
  rewards: 1,
};
void training.chat.completions.create({
  model: "demo/tiny",
  messages: [],
  // @ts-expect-error: `temperature`
  temprature: 0.5,
});

// What has a default need not be written.
const sparse: Trajectory = {};
const request: CreateModelRequest = { project: "demo", name: "agent-1", base_model: "demo/tiny" };

// `as const` goes into a request.
const frozen = [{ role: "user", content: "Is the depot open?" }] as const;
void training.chat.completions.create({ model: "demo/tiny", messages: frozen });
const body = {
  split: "val",
  trajectory_groups: [{ trajectories: [{ messages_and_choices: frozen, reward: 1 }] }],
} as const;
void training.models.log("id", body);

// `stream` decides the answer.
declare const maybe: boolean;
const chat = { model: "demo/tiny", messages: [] };
expectTypeOf(training.chat.completions.create(chat)).toEqualTypeOf<ApiPromise<ChatCompletion>>();
expectTypeOf(await training.chat.completions.create({ ...chat, stream: false })).toEqualTypeOf<ChatCompletion>();
expectTypeOf(await training.chat.completions.create({ ...chat, stream: null })).toEqualTypeOf<ChatCompletion>();
const stream = await training.chat.completions.create({ ...chat, stream: true });
expectTypeOf(await stream.final()).toEqualTypeOf<ChatCompletion>();
const either = await training.chat.completions.create({ ...chat, stream: maybe });
// @ts-expect-error: a stream has no choices
void either.choices;

// A list is a promise of a page and an iterable of items.
const list = training.models.checkpoints.list("id", { order: "desc" });
expectTypeOf((await list).data).toEqualTypeOf<Checkpoint[]>();
for await (const checkpoint of list) expectTypeOf(checkpoint).toEqualTypeOf<Checkpoint>();

// An idempotency key compiles where the operation declares it, and nowhere else.
void training.models.create(request, { idempotencyKey: "a key" });
// @ts-expect-error: Delete Model declares none
void training.models.delete("id", { idempotencyKey: "a key" });

// By path: the same types, and JSON alone.
const byPath = await createTrainingHttp().POST("/v1/preview/models", { body: request });
expectTypeOf(byPath.data).toEqualTypeOf<Model | undefined>();
const { data, requestId } = await training.models.create(request).withResponse();
expectTypeOf(data).toEqualTypeOf<Model>();
expectTypeOf(requestId).toEqualTypeOf<string | undefined>();

// The errors of a training client are distinguished by their names.
try {
  await list;
} catch (error) {
  if (isTrainyardError(error))
    switch (error.name) {
      case "TrainingFailedError":
        expectTypeOf(error.jobId).toEqualTypeOf<string>();
        break;
      case "UnprocessableError":
        expectTypeOf(error.issues).toEqualTypeOf<Issue[]>();
        break;
      // @ts-expect-error: misspelled
      case "NotFuondError":
    }
}

void [misspelled, sparse];
