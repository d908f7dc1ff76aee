import { game, hintFor, promptTasks, type PromptTask } from "@trainyard/tiny/page";
import type { Message } from "@trainyard/training";

/** Asks the model, and gives what it says. */
export type Say = (messages: readonly Message[]) => Promise<string>;

/** What a model can learn here. */
export interface LearnTask {
  /** One for each group. */
  readonly prompts: readonly string[];
  readonly rounds: number;
  /** How many tokens an answer may have. */
  readonly tokens: number;
  /** Training data, where the model learns by them and not by rewards. */
  readonly data?: string;
  /** One attempt: its reward. */
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

/** The tasks by their ids, but for what is learned by heart, which needs its lessons. */
export const learnTasks: Readonly<Record<string, LearnTask>> = {
  maybe: oneTurn(promptTasks.maybe),
  "train-or-ferry": oneTurn(promptTasks["train-or-ferry"]),
  // Its rewards differ by little, and so it takes longer.
  shorter: { ...oneTurn(promptTasks.shorter), rounds: 15 },
  syllable: oneTurn(promptTasks.syllable),
  guess: guessing,
};

/** What is learned by heart: a reward for the right answer, and one job of fine-tuning. */
export function lessonsTask(lessons: ReadonlyMap<string, string>, data: string): LearnTask {
  return {
    prompts: [...lessons.keys()],
    rounds: 1,
    tokens: 40,
    data,
    attempt: async (prompt, _, say) => Number((await say([user(prompt)])) === lessons.get(prompt)),
  };
}
