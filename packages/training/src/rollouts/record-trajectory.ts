import type { Trajectory } from "../generated/schema.ts";
import { conversationsOf } from "./conversations.ts";
import { type ChatClient, recordedClient } from "./recorded-client.ts";
import { Recorder } from "./recorder.ts";

export type { ChatClient } from "./recorded-client.ts";

/** What a rollout says of itself: its reward, metrics, metadata, logs, and histories that were not recorded. */
export type RolloutOutcome = Omit<Trajectory, "messages_and_choices" | "tools">;

/**
 * Records an attempt at a task: what `run` asks of the client that it is given, and what is answered.
 *
 * The messages of each request, and the choices of each answer, stand in the trajectory in the order of the requests, with
 * the functions that the model could call. A request whose messages go on where the conversation is continues it; one that
 * begins anew, or has other tools, begins an additional history, and so does each choice after the first. Streams are
 * recorded as they are read. Of a stream that was left before its end, the text that had come is kept as a message of the
 * assistant, not as a choice. What failed, or is not there when `run` ends, is not recorded.
 *
 * @param client A client of this project or of the `openai` package. It is left as it is.
 * @param run The attempt. It gives its reward, or more of what a {@link Trajectory} has; nothing means a reward of 0.
 * @returns The trajectory, for `models.log` and `trainingJobs.createRl`. `start_time` is when the recording began.
 * @throws What `run` throws.
 */
export async function recordTrajectory<Client extends ChatClient>(
  client: Client,
  run: (recorded: Client) => Promise<number | RolloutOutcome | void> | number | RolloutOutcome | void,
): Promise<Trajectory> {
  const start_time = new Date().toISOString();
  const recorder = new Recorder();
  const result = await run(recordedClient(client, recorder));
  const { additional_histories = [], ...outcome } = typeof result === "number" ? { reward: result } : (result ?? {});
  const [first = { messages_and_choices: [] }, ...others] = conversationsOf(recorder.exchanges);
  const histories = [...others, ...additional_histories];
  return { ...first, ...(histories.length > 0 && { additional_histories: histories }), start_time, ...outcome };
}
