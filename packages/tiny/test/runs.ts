/** Runs of the tiny model for the doctor: healthy ones of several kinds, and ones with a planted illness. */
import type { TrajectoryGroup } from "@trainyard/training";
import type { GatheredGroup } from "@trainyard/training/rollouts";
import { promptTasks } from "../src/tasks/tasks.ts";
import type { TinyModel } from "../src/model/tiny-model.ts";
import { createRandom } from "../src/sampling/random.ts";
import { readRlData } from "../src/training/rl-data.ts";
import { readRlSettings } from "../src/training/rl-settings.ts";
import { batchOf } from "../src/training/batch.ts";
import { measure, trainRl } from "../src/training/rl.ts";
import { answer } from "./rollout.ts";

/** What a program does at a step; a planted illness replaces some of it. */
export interface StepPlan {
  readonly prompts: readonly string[];
  readonly attempts: number;
  readonly reward: (prompt: string, text: string, tokens: number, random: () => number) => number;
  /** Whether an answer is right, which is logged as a metric; not logged if undefined. */
  readonly check?: ((prompt: string, text: string) => boolean) | undefined;
  readonly val?: readonly string[] | undefined;
  readonly config?: object;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** How many steps old the model is that answers. */
  readonly lag?: number;
  /** Throws as a tool does; the attempt ends. */
  readonly tool?: (prompt: string, random: () => number) => void;
  /** Changes what the model is asked, as a leak does. */
  readonly ask?: (prompt: string) => string;
}

/** What a step logged, and the events of the job after it. */
export interface StepDone {
  readonly step: number;
  readonly groups: readonly TrajectoryGroup[];
  readonly val: readonly TrajectoryGroup[];
  readonly events: readonly { type: "gradient_step"; data: Record<string, number> }[];
}

/** Runs a program step by step. */
export async function* runOf(
  base: TinyModel,
  seed: number,
  planOf: (step: number) => StepPlan,
): AsyncGenerator<StepDone> {
  const random = createRandom(seed);
  const models = [base.clone()];
  let next = seed * 1_000_000;
  for (let step = 0; ; step++) {
    const plan = planOf(step);
    const policy = Math.max(0, step - (plan.lag ?? 0));
    const groupOf = (prompt: string, isTrain: boolean): GatheredGroup => {
      const group = { metadata: { task: prompt }, trajectories: [] as object[], exceptions: [] as object[] };
      for (let attempt = 0; attempt < plan.attempts; attempt++) {
        const messages = [{ role: "user", content: isTrain && plan.ask ? plan.ask(prompt) : prompt }];
        try {
          plan.tool?.(prompt, random);
        } catch (error) {
          group.exceptions.push({ type: (error as Error).name, message: (error as Error).message, traceback: "" });
          continue;
        }
        const choice = answer(models[policy] ?? base, messages, next++, plan.temperature ?? 1, plan.maxTokens);
        const text = choice.message.content;
        group.trajectories.push({
          messages_and_choices: [...messages, choice],
          reward: plan.reward(prompt, text, choice.logprobs?.content?.length ?? 0, random),
          metrics: plan.check ? { right: plan.check(prompt, text) } : {},
          final_policy_version: policy,
        });
      }
      return group as unknown as GatheredGroup;
    };
    const groups = plan.prompts.map((prompt) => groupOf(prompt, true));
    const val = (plan.val ?? []).map((prompt) => groupOf(prompt, false));
    const settings = readRlSettings(plan.config ?? {});
    const data = readRlData(groups, settings);
    const model = (models.at(-1) ?? base).clone();
    const events = [];
    const parts = { model, reference: base, settings, signal: new AbortController().signal };
    if (data.positions.tokens.length > 0)
      for await (const measured of trainRl(data, parts))
        events.push({ type: "gradient_step" as const, data: { ...measured } });
    else {
      const measured = await measure(batchOf(data.sequences), parts);
      events.push({
        type: "gradient_step" as const,
        data: { ...data.measurements, ...measured, loss: 0, learning_rate: 0 },
      });
    }
    models.push(model);
    if (models.length > 6) models[models.length - 7] = base;
    yield { step, groups, val, events };
  }
}

const vowels = (text: string) => text.match(/[aeiou]/g)?.length ?? 0;
const { maybe, shorter, syllable, "train-or-ferry": vehicle } = promptTasks;
const words = ["free", "late", "open", "full", "near", "warm", "cold", "new", "old", "quiet", "early", "clean"];
/** Many prompts, so that a batch can be others at each step. */
const many = ["train", "ferry", "seat", "gate"].flatMap((thing) => words.map((word) => `Is the ${thing} ${word}?`));

/** Tasks: prompts, held-out prompts, and a reward. */
export const kinds = [
  { ...maybe, name: "maybe" },
  { ...vehicle, name: "vehicle" },
  { ...shorter, name: "shorter" },
  { ...syllable, name: "syllable" },
  { ...maybe, name: "two vowels", reward: (_: string, text: string) => Number(vowels(text) === 2) },
  { ...maybe, name: "ends with no", reward: (_: string, text: string) => Number(text.endsWith("no")) },
  { ...maybe, name: "two characters", reward: (_: string, text: string) => Number(text.length === 2) },
  {
    ...vehicle,
    name: "yes or late",
    reward: (prompt: string, text: string) =>
      text === "yes" ? 1 : text === "no" ? (prompt.includes("late") ? 1 : 0.5) : 0,
  },
];

/** Ways of a healthy run. */
export const ways = [
  "plain",
  "noisy",
  "few groups",
  "other tasks each step",
  "one attempt",
  "val and a metric",
  "slow",
  "solved",
] as const;

/**
 * With two groups, one job at a rate of 2 may make the model certain of a wrong answer for good, as the doctor then says. With four
 * attempts of each task, one at a rate of 10 may do so for two steps.
 */
const rates: Partial<Record<(typeof ways)[number], number>> = {
  slow: 1,
  "few groups": 1,
  solved: 5,
  "val and a metric": 5,
};

/** A healthy run: each number is another task, way, size and seed. */
export function healthyPlan(number: number): { name: string; planOf: (step: number) => StepPlan } {
  const kind = kinds[number % kinds.length]!;
  const way = ways[(number + Math.floor(number / kinds.length)) % ways.length]!;
  const attempts = way === "one attempt" ? 1 : [4, 8, 16][number % 3]!;
  const random = createRandom(number + 99);
  const isMany = way === "other tasks each step" && (kind.seen === maybe.seen || kind.seen === vehicle.seen);
  const planOf = (step: number): StepPlan => ({
    prompts: isMany
      ? Array.from({ length: 8 }, () => many[Math.floor(random() * many.length)]!)
      : way === "few groups"
        ? kind.seen.slice(0, 2)
        : way === "other tasks each step" && kind.seen.length > 0
          ? kind.seen.filter((_, at) => at === step % kind.seen.length || random() < 0.5)
          : kind.seen,
    attempts,
    reward: (prompt, text) =>
      kind.reward(prompt, text) + (way === "noisy" ? (random() + random() + random() - 1.5) * 0.6 : 0),
    ...(way === "val and a metric" && {
      val: kind.unseen,
      check: (prompt: string, text: string) => kind.reward(prompt, text) === 1,
    }),
    config: { learning_rate: rates[way] ?? 10 },
  });
  return { name: `${kind.name}, ${way}, ${attempts} attempts`, planOf };
}

/** An illness: the rule that names it, a healthy run, and what the program does from step k on. */
export interface Illness {
  readonly rule: string;
  /** The step from which on it is planted. */
  readonly from: number;
  readonly healthy: StepPlan;
  readonly plant: (plan: StepPlan) => StepPlan;
}

const rate = (learning_rate: number) => ({ config: { learning_rate } });
const right = (prompt: string, text: string) => vehicle.reward(prompt, text) === 1;
/** A run that learns slowly enough to be in the middle of it when something goes wrong. */
const learning: StepPlan = { prompts: vehicle.seen, attempts: 8, reward: vehicle.reward, ...rate(2) };
const checked: StepPlan = { ...learning, check: right };

const answerOf = (prompt: string) =>
  Buffer.from(prompt).reduce((all, byte) => (all * 31 + byte) % 1009, 7) % 2 ? "yes" : "no";
const secret = (prompt: string, text: string) => Number(text === answerOf(prompt));

/** The twelve illnesses of the doctor, each planted in a run that was healthy until then. */
export const illnesses: readonly Illness[] = [
  {
    rule: "no-signal",
    from: 5,
    healthy: learning,
    plant: (plan) => ({ ...plan, reward: (_, __, ___, random) => (random() < 0.5 ? 0.1 + 0.2 : 0.3) }),
  },
  {
    rule: "never-a-reward",
    from: 5,
    healthy: learning,
    plant: (plan) => ({ ...plan, prompts: maybe.seen, reward: (_, text) => Number(text.endsWith("please")) }),
  },
  {
    rule: "reward-fell",
    from: 6,
    healthy: learning,
    // The schedule, which a tool reads, is mostly wrong for ferries, whatever the model says.
    plant: (plan) => ({
      ...plan,
      reward: (prompt, text, tokens, random) =>
        prompt.includes("ferry") && random() < 0.85 ? 0 : plan.reward(prompt, text, tokens, random),
    }),
  },
  {
    rule: "entropy-collapse",
    from: 3,
    healthy: { ...learning, ...rate(2) },
    // Thirty times the default. Six times may make all answers right at once.
    plant: (plan) => ({ ...plan, ...rate(300) }),
  },
  {
    rule: "length-hacking",
    from: 4,
    healthy: {
      ...learning,
      prompts: maybe.seen,
      reward: maybe.reward,
      check: (prompt, text) => maybe.reward(prompt, text) === 1,
      ...rate(0.5),
    },
    plant: (plan) => ({ ...plan, reward: (_, text) => Math.min(text.length, 12) / 12, ...rate(10) }),
  },
  { rule: "same-answers", from: 4, healthy: learning, plant: (plan) => ({ ...plan, temperature: 0 }) },
  {
    rule: "train-over-held-out",
    from: 4,
    // No rule leads from a prompt to its answer, so held-out prompts are never learned.
    healthy: { ...learning, reward: secret, val: vehicle.unseen, ...rate(0.5) },
    plant: (plan) => ({ ...plan, ask: (prompt) => `${prompt} ${answerOf(prompt)}`, ...rate(10) }),
  },
  { rule: "stale-policy", from: 5, healthy: learning, plant: (plan) => ({ ...plan, lag: 4 }) },
  {
    rule: "exceptions-as-rewards",
    from: 5,
    healthy: learning,
    plant: (plan) => ({
      ...plan,
      tool: (_, random) => {
        if (random() < 0.4) throw Object.assign(new Error("The schedule did not answer."), { name: "ToolTimeout" });
      },
    }),
  },
  {
    rule: "cut-by-length",
    from: 4,
    healthy: { ...learning, maxTokens: 4 },
    plant: (plan) => ({ ...plan, maxTokens: 2 }),
  },
  {
    rule: "drift",
    from: 4,
    healthy: { ...checked, ...rate(0.5) },
    plant: (plan) => ({ ...plan, reward: (_, text) => Number(text.includes("b")), ...rate(2) }),
  },
  { rule: "no-movement", from: 4, healthy: learning, plant: (plan) => ({ ...plan, ...rate(0) }) },
];
