import type { Trajectory } from "../generated/schema.ts";
import { conversationsOf } from "./conversations.ts";
import { type ChatClient, recordedClient } from "./recorded-client.ts";
import { Recorder } from "./recorder.ts";

export type { ChatClient } from "./recorded-client.ts";

/** What a rollout returns: its reward, metrics, metadata, logs, and histories that were not recorded. */
export type RolloutOutcome = Omit<Trajectory, "messages_and_choices" | "tools">;

/**
 * Records an attempt at a task: the chat requests that `run` sends with the given client, and their responses.
 *
 * The trajectory has the messages of each request and the choices of each response, in the order of the requests, with the
 * functions that the model could call. A request whose messages continue the conversation belongs to it. A request that
 * starts a new conversation or has other tools starts an additional history, and so does each choice after the first.
 * Streams are recorded as they are read. For an abandoned stream, the text so far is recorded as a message of the assistant,
 * not as a choice. Failed requests, and requests that are still running when `run` ends, are not recorded.
 *
 * @param client A client of this project or of the `openai` package. It is not changed.
 * @param run The attempt. It returns its reward, or further fields of a {@link Trajectory}; nothing means a reward of 0.
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
