import { game, hintFor, promptTasks, type PromptTask } from "@trainyard/tiny/page";
import type { Message } from "@trainyard/training";

/** Asks the model, and returns its answer. */
export type Say = (messages: readonly Message[]) => Promise<string>;

/** A task that a model can learn in the page. */
export interface LearnTask {
  /** The prompts, one for each group. */
  readonly prompts: readonly string[];
  readonly rounds: number;
  /** The most tokens of an answer. */
  readonly tokens: number;
  /** Training data, if the model learns from them instead of rewards. */
  readonly data?: string;
  /** Runs one attempt, and returns its reward. */
  attempt(prompt: string, number: number, say: Say): Promise<number>;
}

const user = (content: string): Message => ({ role: "user", content });

function oneTurn(task: PromptTask): LearnTask {
  return {
    prompts: task.seen.slice(0, 8),
    rounds: 10,
    tokens: 64,
    attempt: async (prompt, _, say) => task.reward(prompt, await say([user(prompt)])),
  };
}

const guessing: LearnTask = {
  prompts: Array.from({ length: 4 }, () => game.question),
  rounds: 30,
  tokens: 4,
  async attempt(prompt, number, say) {
    const secret = 1 + (number % game.numbers);
    const messages = [user(prompt)];
    for (let turn = 0; turn < game.guesses; turn++) {
      const content = await say(messages);
      const hint = hintFor(content, secret);
      if (hint === undefined) return 1;
      messages.push({ role: "assistant", content }, user(hint));
    }
    return 0;
  },
};

/** The tasks by their ids, except for the timetable, which needs its data. */
export const learnTasks: Readonly<Record<string, LearnTask>> = {
  maybe: oneTurn(promptTasks.maybe),
  "train-or-ferry": oneTurn(promptTasks["train-or-ferry"]),
  // Its rewards differ little, so it takes longer.
  shorter: { ...oneTurn(promptTasks.shorter), rounds: 15 },
  syllable: oneTurn(promptTasks.syllable),
  guess: guessing,
};

/** The task of the timetable: a reward for the right answer, and one fine-tuning job. */
export function lessonsTask(lessons: ReadonlyMap<string, string>, data: string): LearnTask {
  return {
    prompts: [...lessons.keys()],
    rounds: 1,
    tokens: 40,
    data,
    attempt: async (prompt, _, say) => Number((await say([user(prompt)])) === lessons.get(prompt)),
  };
}
