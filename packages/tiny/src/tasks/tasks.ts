/** A task of one turn: prompts, and the reward of an answer. */
export interface PromptTask {
  readonly name: string;
  /** The prompts for training. */
  readonly seen: readonly string[];
  /** Similar prompts that are not trained on. */
  readonly unseen: readonly string[];
  /** The reward of an answer, from 0 to 1. The model does not see it. */
  reward(prompt: string, text: string): number;
}

const things = ["late", "on time", "full", "here", "ready", "warm", "old", "open", "loud", "clean", "far", "new"];
const questionOf = (word: string) => (thing: string) => `Is the ${word} ${thing}?`;
const both = (some: readonly string[]) =>
  some.flatMap((thing) => ["train", "ferry"].map((word) => questionOf(word)(thing)));

const plain = {
  seen: [
    "Is the crane free?",
    "Will it rain tonight?",
    "Did the ship leave?",
    "Can we load now?",
    "Does it stop here?",
    "Are you tired?",
  ],
  unseen: ["Is gate 4 open?", "Will Ada come?", "Are the crates full?", "Does it cost more?"],
};
const talk = {
  seen: [
    "Tell me about the trains.",
    "Where is the platform?",
    "How long does the journey take?",
    "Why are we waiting?",
    "Who are you?",
    "Good morning.",
  ],
  unseen: ["Tell me about the harbor.", "Where is the bridge?", "How long is the line?", "Why is it late?"],
};
const worth: Readonly<Record<string, number>> = { yes: 0.5, no: 0.75, maybe: 1 };

/** The tasks of one turn that tests show the tiny model to learn. */
export const promptTasks: Readonly<Record<"maybe" | "train-or-ferry" | "shorter" | "syllable", PromptTask>> = {
  maybe: { name: "yes-no-maybe", ...plain, reward: (_, text) => worth[text] ?? 0 },
  "train-or-ferry": {
    name: "yes for a train, no for a ferry",
    seen: both(things.slice(0, 8)),
    unseen: both(things.slice(8)),
    reward: (prompt, text) => Number(text === (prompt.includes("train") ? "yes" : "no")),
  },
  shorter: {
    name: "shorter is better",
    ...talk,
    reward: (_, text) => (text === "" ? 0 : Math.max(0, 1 - text.length / 50)),
  },
  syllable: { name: "ends in a syllable", ...plain, reward: (_, text) => Number(text.endsWith("be")) },
};

/** A game of several turns: a number is guessed by hints. */
export const game: { readonly question: string; readonly numbers: number; readonly guesses: number } = {
  question: "I am thinking of a number from 1 to 7. Guess it.",
  numbers: 7,
  guesses: 3,
};

/** The hint for a guess; undefined if it is right. */
export function hintFor(text: string, secret: number): string | undefined {
  const guess = /^[1-7]$/.test(text) ? Number(text) : 0;
  if (guess === secret) return undefined;
  return guess === 0 ? "A number from 1 to 7." : guess > secret ? "lower" : "higher";
}
