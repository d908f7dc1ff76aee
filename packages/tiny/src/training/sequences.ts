import { memberAt } from "@trainyard/core/validation";
import type { Trajectory } from "@trainyard/training";
import { isTrajectoryGroup } from "@trainyard/training/validators";
import { loggedToken } from "../model/answer-tokens.ts";
import { render } from "../model/conversation.ts";
import { UnreadableMessage } from "../model/unreadable-message.ts";
import { end } from "../model/vocabulary.ts";
import type { Sequence } from "./batch.ts";
import { valid } from "./config.ts";
import { TrainingFailure } from "./training-failure.ts";

/** A trajectory, ready for training. */
export interface ReadTrajectory {
  readonly reward: number;
  /** Its conversation and its additional histories, as far as they contain a trainable choice. */
  readonly sequences: readonly Sequence[];
}

/**
 * Reads the trajectory groups of a job. The choices of a conversation are trained on, each with everything before it as
 * context. Assistant messages that are not choices are context too, because the trained model did not sample them.
 *
 * @returns the trajectories of each group, whose rewards are compared with each other
 * @param allowWithoutLogprobs also accepts choices without log probabilities
 * @throws TrainingFailure that names the group, trajectory and item that cannot be trained on
 */
export function readGroups(groups: unknown, allowWithoutLogprobs: boolean): ReadTrajectory[][] {
  if (!Array.isArray(groups)) throw new TrainingFailure("The job has no trajectory_groups to train on.");
  return groups.map((group: unknown, index) => {
    const location = `trajectory_groups[${index}]`;
    const { trajectories } = valid(location, group, isTrajectoryGroup);
    return trajectories.map((trajectory, at) =>
      readTrajectory(trajectory, `${location}.trajectories[${at}]`, allowWithoutLogprobs),
    );
  });
}

function readTrajectory(trajectory: Trajectory, location: string, allow: boolean): ReadTrajectory {
  const { reward = 0, additional_histories: histories = [] } = trajectory;
  const conversations = [
    { place: location, history: trajectory },
    ...histories.map((history, index) => ({ place: `${location}.additional_histories[${index}]`, history })),
  ];
  const sequences = conversations.map(({ place, history }) =>
    readConversation(history.messages_and_choices ?? [], `${place}.messages_and_choices`, allow),
  );
  return { reward, sequences: sequences.filter(({ answers }) => answers.length > 0) };
}

function readConversation(items: readonly unknown[], location: string, allow: boolean): Sequence {
  const { tokens, answers } = renderAt(items, location);
  const learned = answers.filter(({ isChoice, message }) => isChoice && !isSilent(items[message]));
  for (const { message, logprobs } of learned) {
    if (logprobs === undefined && !allow) {
      throw new TrainingFailure(`${location}[${message}] ${logprobsFault(items[message])}`);
    }
  }
  return { tokens, answers: learned };
}

/**
 * Renders a conversation.
 *
 * @param location the name of the list of messages, for messages
 * @throws TrainingFailure if it cannot be read
 */
export function renderAt(items: readonly unknown[], location: string): ReturnType<typeof render> {
  try {
    return render(items);
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error;
    throw new TrainingFailure(`${location}: ${error.message}`, { cause: error });
  }
}

/** Whether a choice has no tokens, not even its end: a stop sequence ended it at once. */
function isSilent(choice: unknown): boolean {
  const entries = memberAt(choice, ["logprobs", "content"]);
  return Array.isArray(entries) && entries.length === 0 && memberAt(choice, ["message", "content"]) === "";
}

const cure =
  "Ask for the answer with `logprobs: true` and keep the choice as it came, or set experimental_config.allow_training_without_logprobs.";

/** Why the log probabilities of a choice cannot be used; follows its path in messages. */
function logprobsFault(choice: unknown): string {
  const entries = memberAt(choice, ["logprobs", "content"]);
  if (!Array.isArray(entries) || entries.length === 0) return `has no logprobs. ${cure}`;
  const index = entries.findIndex((entry: unknown) => loggedToken(entry) === undefined);
  if (index !== -1) {
    return `has the logprobs of another model: logprobs.content[${index}] is not one byte with its logprob. ${cure}`;
  }
  const content = memberAt(choice, ["message", "content"]);
  const tokens = [...new TextEncoder().encode(typeof content === "string" ? content : ""), end];
  const at = entries.findIndex((entry: unknown, position) => loggedToken(entry)?.token !== tokens[position]);
  return `does not fit its logprobs, from logprobs.content[${at === -1 ? entries.length : at}] on: its text was changed. ${cure}`;
}
