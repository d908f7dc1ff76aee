import { readFile } from "node:fs/promises";
import type { ChatCompletionRequest } from "@trainyard/inference";
import type { TinyModel } from "../src/model/tiny-model.ts";
import { mean } from "../src/training/advantage.ts";
import { readRlData } from "../src/training/rl-data.ts";
import { readRlSettings } from "../src/training/rl-settings.ts";
import { trainRl } from "../src/training/rl.ts";
import { readSftSettings } from "../src/training/sft-settings.ts";
import { readSftData } from "../src/training/sft-data.ts";
import { game, hintFor, promptTasks, type PromptTask } from "../src/tasks/tasks.ts";
import { trainSft } from "../src/training/sft.ts";
import { ask } from "./lib.ts";
import { answer, respond } from "./rollout.ts";

/** The answers and their rewards. */
export interface Rollout {
  readonly messages_and_choices: readonly object[];
  readonly reward: number;
}

/** How well a task went: the mean reward before and after, on the prompts that were trained on and on others. */
export interface Outcome {
  readonly before: number;
  readonly seen: number;
  readonly unseen: number;
}

/** A task that a model learns with the defaults, from a base model, for a seed. */
export interface Task {
  readonly name: string;
  /** The mean over the runs must be at least this, and that of 19 of 20 runs; of the prompts that were trained on. */
  readonly bar: number;
  /** The same, of other prompts. */
  readonly unseenBar: number;
  /** Whether a run takes less than a second or two. */
  readonly isQuick: boolean;
  run(base: TinyModel, seed: number, config?: object): Promise<Outcome>;
}

const signal = new AbortController().signal;

/** Does a job of reinforcement, as the trainer does it. */
export async function reinforce(
  base: TinyModel,
  model: TinyModel,
  groups: readonly (readonly Rollout[])[],
  config: object,
) {
  const settings = readRlSettings(config);
  const trajectories = groups.map((group) => ({ trajectories: group }));
  const data = readRlData(trajectories, settings);
  if (data.positions.tokens.length === 0) return;
  for await (const _ of trainRl(data, { model, reference: base, settings, signal }));
}

const jobs = 10;
const attempts = 16;

/** A task of one turn: an answer, or a tool call as `name(arguments)`, gets a reward. */
export function oneTurn(
  { name, seen, unseen, reward }: PromptTask,
  bar: number,
  unseenBar: number,
  request: Partial<ChatCompletionRequest> = {},
): Task {
  return {
    name,
    bar,
    unseenBar,
    isQuick: name !== "shorter is better",
    run: async (base, seed, config = {}) => {
      const model = base.clone();
      let next = seed * 1_000_000;
      const attempt = async (prompt: string) => {
        const { choice, text } = await respond(model, { ...request, messages: ask(prompt), seed: next++ });
        return { messages_and_choices: [...ask(prompt), choice], reward: reward(prompt, text) };
      };
      const roll = async (prompts: readonly string[]) => {
        const groups: Rollout[][] = [];
        for (const prompt of prompts) {
          const group: Rollout[] = [];
          while (group.length < attempts) group.push(await attempt(prompt));
          groups.push(group);
        }
        return groups;
      };
      const meanOf = (groups: Rollout[][]) => mean(groups.flat().map((rollout) => rollout.reward));
      const before = meanOf(await roll(seen));
      for (let job = 0; job < jobs; job++) await reinforce(base, model, await roll(seen), config);
      return { before, seen: meanOf(await roll(seen)), unseen: meanOf(await roll(unseen)) };
    },
  };
}

/** Three guesses at a number from 1 to 7, as one trajectory. */
export function play(model: TinyModel, question: string, secret: number, seed: number): Rollout {
  const items: object[] = [...ask(question)];
  for (let guess = 0; guess < game.guesses; guess++) {
    const choice = answer(model, items, seed + guess);
    items.push(choice);
    const hint = hintFor(choice.message.content, secret);
    if (hint === undefined) return { messages_and_choices: items, reward: 1 };
    items.push(...ask(hint));
  }
  return { messages_and_choices: items, reward: 0 };
}

const guess: Task = {
  name: "guess-a-number",
  bar: 0.95,
  unseenBar: 0.85,
  isQuick: false,
  run: async (base, seed, config) => {
    const model = base.clone();
    let next = seed * 1_000_000;
    const roll = (question: string = game.question) =>
      Array.from({ length: 6 }, () =>
        Array.from({ length: 56 }, (_, round) => play(model, question, 1 + (round % 7), (next += 3))),
      );
    const won = (groups: Rollout[][]) => mean(groups.flat().map(({ reward }) => reward));
    const before = won(roll());
    for (let job = 0; job < 40; job++) {
      await reinforce(base, model, roll(), config ?? { kl_penalty_coef: 0.5 * (1 - job / 40) });
    }
    return { before, seen: won(roll()), unseen: won(roll("I have a number from 1 to 7. Guess which.")) };
  },
};

const file = new URL("../../samples/programs/learning/timetable.jsonl", import.meta.url);

/** A question in other words. */
const otherWords: readonly ((question: string) => string)[] = [
  (question) => `Please: ${question}`,
  (question) => `Hello. ${question}`,
  (question) => question.replace("?", ", please?"),
  (question) => question.replace("?", " now?"),
  (question) => question.charAt(0).toLowerCase() + question.slice(1),
];

/** Ten lessons, asked for in the words of the file and in others. */
const lessons: Task = {
  name: "sft",
  bar: 1,
  // Five ways to ask the same, ten lessons each: a word more changes which weights are met.
  unseenBar: 0.9,
  isQuick: true,
  run: async (base, seed) => {
    const model = base.clone();
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const pairs = lines.map((line) => JSON.parse(line).messages.map(({ content }: { content: string }) => content));
    const right = (change: (question: string) => string) =>
      mean(
        pairs.map(([question, expected]) =>
          Number(answer(model, ask(change(question)), seed, 0).message.content === expected),
        ),
      );
    const before = right((question) => question);
    const sequences = await readSftData(file.pathname, "all", signal);
    for await (const _ of trainSft(sequences, { model, settings: readSftSettings({}), signal }));
    return { before, seen: right((question) => question), unseen: mean(otherWords.map(right)) };
  },
};

/** The tasks that everybody tries first. */
export const tasks: readonly Task[] = [
  oneTurn(promptTasks.maybe, 0.95, 0.95),
  oneTurn(promptTasks["train-or-ferry"], 0.95, 0.95),
  oneTurn(promptTasks.shorter, 0.9, 0.85),
  oneTurn(promptTasks.syllable, 0.95, 0.95),
  guess,
  lessons,
];
