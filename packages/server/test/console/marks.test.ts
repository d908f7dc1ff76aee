import { expect, it } from "vitest";
import type { Marks } from "@trainyard/local";
import { commands } from "../../src/store/commands/index.ts";
import { generator } from "./rollouts.ts";
import { makeData } from "./underived-data.ts";

/** What a made run does at a step. What is not named is as in a healthy run. */
interface Plan {
  /** The tasks of the step; by default always the same eight. */
  readonly tasks?: readonly number[];
  readonly attempts?: number;
  /** The chance that an attempt at a task is right. */
  readonly skill?: (task: number) => number;
  readonly reward?: (isRight: boolean) => number;
  readonly says?: (task: number, isRight: boolean) => string;
  readonly cut?: number;
  readonly throws?: number;
  readonly metrics?: (isRight: boolean) => Record<string, number>;
  readonly lag?: number;
  readonly result?: string;
}

type Made = ReturnType<typeof makeData>;
const some = (length: number) => Array.from({ length }, (_, at) => at);

function logStep(data: Made, step: number, plan: Plan, random: () => number): void {
  const { tasks = some(8), attempts = 8, skill = () => 0.5, reward = Number, cut = 0, throws = 0 } = plan;
  const groups = tasks.map((task) => {
    const [trajectories, exceptions]: [object[], object[]] = [[], []];
    for (let at = 0; at < attempts; at++) {
      if (random() < throws) {
        exceptions.push({ type: "Timeout", message: "late", traceback: "" });
        continue;
      }
      const isRight = random() < skill(task);
      const says = plan.says?.(task, isRight) ?? `${isRight} ${Math.floor(random() * 1e6)}`;
      trajectories.push({
        messages_and_choices: [
          { role: "user", content: `Task ${task}?` },
          ...(plan.result === undefined ? [] : [{ role: "tool", tool_call_id: "c", content: plan.result }]),
          {
            index: 0,
            finish_reason: random() < cut ? "length" : "stop",
            message: { role: "assistant", content: says },
          },
        ],
        reward: reward(isRight),
        metrics: plan.metrics?.(isRight) ?? {},
        final_policy_version: Math.max(0, step - (plan.lag ?? 0)),
      });
    }
    return { metadata: { task: `task-${task}` }, trajectories, exceptions };
  });
  // In two logs, as a program that logs group by group does.
  data.addLog("m", step, "train", groups.slice(0, 3));
  if (groups.length > 3) data.addLog("m", step, "train", groups.slice(3));
}

function marksOf(data: Made): Marks {
  data.derive();
  const context = { database: data.database, now: 0 };
  for (let steps = commands["marks.ask"](context, { after: "" }); steps.length > 0;) {
    commands["marks.keep"](context, steps);
    steps = commands["marks.ask"](context, { after: "" });
  }
  const found = commands["runs.marks"](context, { id: "m" });
  if (found === "not-found") return expect.unreachable();
  return found;
}

const openOf = ({ data }: Marks) => data.filter(({ until }) => until === null);

/** Makes a run, and returns its marks after some of its steps. */
function makeRun(seed: number, planOf: (step: number, random: () => number) => Plan, looks: readonly number[]) {
  const [data, random] = [makeData(), generator(seed + 77)];
  data.addModel("m");
  return some((looks.at(-1) ?? 0) + 1).flatMap((step) => {
    logStep(data, step, planOf(step, random), random);
    return looks.includes(step) ? [marksOf(data)] : [];
  });
}

const learning = (step: number) => Math.min(0.9, 0.3 + 0.05 * step);
const healthy: Plan = { skill: () => 0.7 };

/** Each illness with its rule: what a run does before it begins, and from then on. */
const illnesses: readonly [rule: string, name: string, plan: (step: number) => Plan, ill: (step: number) => Plan][] = [
  [
    "reward-fell",
    "half of the tasks",
    (step) => ({ skill: () => learning(step) }),
    () => ({ skill: (task) => (task < 4 ? 0.1 : 0.8) }),
  ],
  [
    "reward-fell",
    "all of it, slowly",
    () => healthy,
    (step) => ({ skill: () => Math.max(0.3, 0.7 - 0.05 * (step - 11)) }),
  ],
  ["reward-fell", "four attempts", () => ({ ...healthy, attempts: 4 }), () => ({ attempts: 4, skill: () => 0.3 })],
  [
    "reward-fell",
    "one attempt",
    () => ({ ...healthy, attempts: 1, tasks: some(24) }),
    () => ({ attempts: 1, tasks: some(24), skill: () => 0.15 }),
  ],
  ["no-signal", "always wrong", () => healthy, () => ({ skill: () => 0.02 })],
  ["no-signal", "one reward for all", () => healthy, () => ({ reward: () => 0.3 })],
  [
    "same-answers",
    "a refusal",
    () => healthy,
    () => ({ skill: () => 0.05, says: (_, isRight) => (isRight ? "It is 7." : "I cannot help.") }),
  ],
  ["same-answers", "a half right word", () => healthy, () => ({ skill: () => 0.3, says: () => "yes" })],
  ["cut-off", "half", () => healthy, () => ({ ...healthy, cut: 0.5 })],
  ["cut-off", "a third more", () => ({ ...healthy, cut: 0.05 }), () => ({ ...healthy, cut: 0.4 })],
  ["threw", "a third", () => healthy, () => ({ ...healthy, throws: 0.3 })],
  [
    "threw",
    "a fifth, few attempts",
    () => ({ ...healthy, attempts: 4 }),
    () => ({ ...healthy, attempts: 4, throws: 0.25 }),
  ],
  [
    "metric-fell",
    "useful",
    (step) => ({ skill: () => learning(step), metrics: (isRight) => ({ useful: Number(isRight) }) }),
    () => ({ skill: () => 0.97, metrics: () => ({ useful: 0.1 }) }),
  ],
  [
    "metric-fell",
    "slowly",
    (step) => ({
      skill: () => Math.min(0.5, learning(step)),
      metrics: (isRight) => ({ useful: Number(isRight), speed: 1 }),
    }),
    (step) => ({
      skill: () => Math.min(0.95, 0.5 + (step - 12) / 20),
      metrics: (isRight) => ({ useful: Math.max(0, Number(isRight) - (step - 12) / 10), speed: 1 }),
    }),
  ],
];

it("marks planted illnesses within five steps, and still 30 steps later", () => {
  let [soon, late, all] = [0, 0, 0];
  for (const [rule, name, before, ill] of illnesses)
    for (let seed = 1; seed <= 4; seed++) {
      const looks = makeRun(seed, (step) => (step < 12 ? before(step) : ill(step)), [11, 17, 42]);
      const [early = [], soonOpen = [], lateOpen = []] = looks.map((found) =>
        openOf(found).map((mark): string => mark.rule),
      );
      all++;
      soon += Number(soonOpen.includes(rule));
      late += Number(lateOpen.includes(rule));
      expect({ name, seed, early }).toEqual({ name, seed, early: [] });
    }
  expect(soon / all).toBeGreaterThanOrEqual(0.9);
  expect(late / all).toBeGreaterThanOrEqual(0.8);
});

const kinds: Readonly<Record<string, (step: number, random: () => number) => Plan>> = {
  learns: (step) => ({ skill: () => learning(step) }),
  solved: (step) => ({ skill: () => Math.min(0.99, 0.3 + 0.1 * step) }),
  "solved at once": () => ({ skill: () => 1 }),
  plateau: () => ({ skill: () => 0.5 }),
  "easy and hard": () => ({ skill: (task) => (task < 5 ? 0.98 : 0.1) }),
  "seldom right": (step) => ({ skill: () => 0.03 + step / 400 }),
  noisy: (step, random) => ({
    skill: () => learning(step),
    reward: (isRight) => Number(isRight) + random() + random() - 1,
  }),
  "one attempt": (step) => ({ attempts: 1, skill: () => learning(step) }),
  "two groups": (step) => ({ tasks: [0, 1], skill: () => learning(step) }),
  "other tasks": (step, random) => ({
    tasks: some(8).map(() => Math.floor(random() * 40)),
    skill: (task) => (((task * 7) % 10) + 0.5) / 10,
  }),
  "new tasks": (step) => ({
    tasks: some(8).map((at) => step * 8 + at),
    skill: (task) => (((task * 7) % 10) + 0.5) / 10,
  }),
  "old policies": (step) => ({ skill: () => learning(step), lag: 4 }),
  "failing tests": (step) => ({ skill: () => learning(step), result: "AssertionError: 2 != 3" }),
  "tools that do not find": (step) => ({ skill: () => learning(step), result: "Error: not found" }),
  "an exception now and then": (step) => ({ skill: () => learning(step), throws: 0.03 }),
  "long answers": (step) => ({ skill: () => learning(step), cut: 0.1 }),
  "fewer words": (step, random) => ({
    skill: () => learning(step),
    metrics: (isRight) => ({ words: 400 - 8 * step + 50 * Number(isRight) + 50 * random(), right: Number(isRight) }),
  }),
  "yes and no": (step) => ({
    skill: () => learning(step),
    says: (task, isRight) => (isRight === task < 5 ? "yes" : "no"),
  }),
};

it("has no open mark on healthy runs of 18 kinds", () => {
  const marked = Object.entries(kinds).flatMap(([name, planOf]) =>
    [1, 2, 3].flatMap((seed) =>
      makeRun(seed, planOf, [20, 40]).flatMap((found) =>
        openOf(found).map(({ rule, text }) => `${name} ${seed} ${rule}: ${text}`),
      ),
    ),
  );
  expect(Object.keys(kinds)).toHaveLength(18);
  expect(marked).toEqual([]);
});
