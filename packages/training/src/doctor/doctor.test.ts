import fc from "fast-check";
import { expect, it } from "vitest";
import type { TrajectoryGroup } from "../index.ts";
import { advantagesOf, doctor, figuresOf, History, spreadOf } from "./index.ts";

/** Random numbers that are the same each time (Lehmer). */
function generator(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const groupOf = (task: string, rewards: readonly number[]): TrajectoryGroup => ({
  metadata: { task },
  trajectories: rewards.map((reward) => ({ reward })),
});

/** The warnings of a run, by step. */
function alarmsOf(steps: readonly (readonly TrajectoryGroup[])[]): string[] {
  const history = new History();
  return steps.flatMap((groups, step) => {
    history.log(step, groups);
    const { findings } = doctor(history);
    return findings.filter(({ severity }) => severity !== "note").map(({ rule, text }) => `${step} ${rule}: ${text}`);
  });
}

/** A run whose tasks have skills that rise, or stay, and whose rewards are drawn from them. */
function healthyRun(seed: number, steps: number): TrajectoryGroup[][] {
  const random = generator(seed);
  const [tasks, attempts] = [[2, 4, 8, 16][seed % 4]!, [1, 2, 4, 8, 16][seed % 5]!];
  const noise = seed % 3 === 0 ? 0.5 : 0;
  const skills = Array.from({ length: 48 }, () => 0.1 + 0.8 * random());
  const gain = seed % 7 === 0 ? 0 : 0.02 + 0.1 * random();
  return Array.from({ length: steps }, (_, step) =>
    Array.from({ length: tasks }, (_, at) => {
      const task = seed % 2 === 0 ? at : Math.floor(random() * 48);
      const skill = 1 - (1 - skills[task]!) * (1 - gain) ** step;
      return groupOf(
        `task-${task}`,
        Array.from({ length: attempts }, () => Number(random() < skill) + noise * (random() + random() - 1)),
      );
    }),
  );
}

/** Healthy runs of many sizes, whose rewards are drawn from skills that never fall. */
function alarmsOfHealthy(first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, at) => alarmsOf(healthyRun(first + at, 20))).flat();
}

it("raises no alarm about healthy runs", () => expect(alarmsOfHealthy(0, 20)).toEqual([]));

it("raises no alarm about many healthy runs", { tags: ["long"], timeout: 300_000 }, () =>
  expect(alarmsOfHealthy(20, 400)).toEqual([]),
);

it("finds tasks that fell, and no others, by name: one step is a note, two are an alarm", () => {
  let noted = 0;
  for (let seed = 0; seed < 20; seed++) {
    const random = generator(seed);
    const history = new History();
    const log = (step: number) => {
      const groups = Array.from({ length: 16 }, (_, at) => {
        const skill = step >= 8 && at < 8 ? 0.1 : 0.65;
        return groupOf(
          `${at < 8 ? "refund" : "order"}-${at}`,
          Array.from({ length: 8 }, () => Number(random() < skill)),
        );
      });
      history.log(step, groups);
    };
    for (let step = 0; step <= 8; step++) log(step);
    const first = doctor(history);
    expect([first.verdict, first.fallen[0]]).toEqual(["healthy", expect.stringMatching(/^refund-/)]);
    for (const { rule, severity, text } of first.findings) {
      expect([rule, severity]).toEqual(["reward-fell", "note"]);
      expect(text).toMatch(/ in the last step, in \d+ of 16 tasks: refund-/);
      noted += 1;
    }
    log(9);
    const { findings, verdict, fallen } = doctor(history);
    expect({ verdict, rule: findings[0]?.rule }).toEqual({ verdict: "ill", rule: "reward-fell" });
    expect(findings[0]?.text).toMatch(
      /^The reward fell by 0\.\d+ ± 0\.0\d+ in the last 2 steps, in \d+ of 16 tasks: refund-/,
    );
    expect(fallen.slice(0, 6).every((task) => task.startsWith("refund-"))).toBe(true);
  }
  expect(noted).toBeGreaterThan(12);
});

it.each<[string, (step: number) => TrajectoryGroup[]]>([
  [
    "rewards near the largest number",
    (step) => [0, 1, 2].map((at) => groupOf(`t${at}`, [1e308, -1e308, 1.7e308, step])),
  ],
  ["groups without attempts", () => [groupOf("t", []), { trajectories: [] }]],
  ["steps without groups", () => []],
  ["one attempt a group", (step) => [0, 1, 2, 3].map((at) => groupOf(`t${at}`, [(step * 7 + at) % 2]))],
  ["one task", (step) => [groupOf("t", [0, 1, 0.5, step / 20])]],
  ["equal rewards at the top", () => [groupOf("t", [1, 1, 1]), groupOf("u", [1, 1])]],
  ["rewards that differ by rounding", () => [groupOf("t", [0.1 + 0.2, 0.3]), groupOf("u", [0.3, 0.1 + 0.2])]],
])("has no alarm and no NaN for %s", (_, groupsOf) => {
  expect(alarmsOf(Array.from({ length: 12 }, (_, step) => groupsOf(step)))).toEqual([]);
});

const reward = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 1e308, -1e308, 5e-324));
const group = fc
  .record({ task: fc.constantFrom("a", "b", "c"), rewards: fc.array(reward, { maxLength: 5 }) })
  .map(({ task, rewards }) =>
    groupOf(
      task,
      rewards.map((one) => (Number.isFinite(one) ? one : 0)),
    ),
  );

it("writes only finite numbers, whatever is logged", () => {
  fc.assert(
    fc.property(fc.array(fc.array(group, { maxLength: 4 }), { maxLength: 8 }), (steps) => {
      const history = new History();
      for (const [step, groups] of steps.entries()) history.log(step, groups);
      const { findings } = doctor(history);
      for (const { text, values } of findings) {
        expect(text).not.toMatch(/NaN|Infinity|undefined/);
        for (const value of Object.values(values))
          if (typeof value === "number") expect(value).toSatisfy(Number.isFinite);
      }
    }),
    { numRuns: 300 },
  );
});

it("has the spread and the advantages of rewards of any size", () => {
  expect(spreadOf([])).toEqual({ mean: null, sd: null, lo: null, hi: null });
  expect(spreadOf([1e308, -1e308])).toEqual({ mean: 0, sd: 1e308, lo: -1e308, hi: 1e308 });
  expect(spreadOf([1e-200, 3e-200]).sd).toBeCloseTo(1e-200, 210);
  expect(
    advantagesOf([
      [0.1 + 0.2, 0.3, 0.3, 0.3],
      [1, 0],
      [1e308, -1e308],
    ]),
  ).toEqual({
    values: [
      [0, 0, 0, 0],
      [1, -1],
      [1, -1],
    ],
    trainable: [false, true, true],
  });
});

it.each([
  [
    { messages_and_choices: [{ role: "tool", tool_call_id: "c", content: "ToolTimeout: no answer" }] } as const,
    "ToolTimeout",
  ],
  [{ logs: ["shop.ValueError: bad order"] }, "ValueError"],
  [{ metadata: { exception: "KeyError" } }, "KeyError"],
  [{ messages_and_choices: [{ role: "tool", tool_call_id: "c", content: "error: no such order" }] } as const, "error"],
  [{ messages_and_choices: [{ role: "user", content: "What is a TypeError?" }] } as const, null],
])("reads the error that an attempt names: %j", (trajectory, type) => {
  expect(figuresOf({ trajectories: [trajectory] }, 0).errors).toEqual([type]);
});

it("keeps a summary of the newest steps, and no conversation", () => {
  const history = new History();
  const said = "a sentence that nobody else says";
  for (let step = 0; step < 50; step++)
    history.log(step, [
      {
        trajectories: [
          {
            messages_and_choices: [
              { role: "user", content: "Hello" },
              { index: 0, finish_reason: "stop", message: { role: "assistant", content: said, refusal: null } },
            ],
            reward: 1,
          },
        ],
      },
    ]);
  expect(history.steps.map(({ step }) => step)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  expect(JSON.stringify(history)).not.toContain(said);
});

it("keeps the newest 1,000 groups of a step", () => {
  const history = new History();
  const logOf = (from: number) =>
    history.log(
      3,
      Array.from({ length: 1500 }, (_, at) => groupOf(`task-${from + at}`, [1])),
    );
  logOf(0);
  logOf(1500);
  expect(history.steps.map(({ step }) => step)).toEqual([3]);
  expect(history.steps[0]?.groups.map(({ task }) => task)).toEqual(
    Array.from({ length: 1000 }, (_, at) => `task-${2000 + at}`),
  );
});

it("judges steps of a hundred thousand groups, of one task and of as many", { tags: ["long"], timeout: 60_000 }, () => {
  const group = { ...figuresOf(groupOf("one", [0, 1]), 0), lag: 1 };
  const many = Array.from({ length: 130_000 }, () => group);
  for (const groups of [many, many.map((one, at) => ({ ...one, task: `task-${at}` }))]) {
    const steps = [0, 1, 2].map((step) => ({ step, groups }));
    const run = { split: "train", steps, val: [], jobs: [], range: { low: 0, high: 1 }, best: new Map() };
    expect(doctor(run)).toMatchObject({ verdict: "healthy", findings: [] });
  }
});
