import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { ConfigurationError, type LogRequest } from "../index.ts";
import { compare, evaluate, passAtK, type EvaluateOptions } from "./index.ts";
import { criticalT, twoSidedP } from "./student-t.ts";

const near = (value: number) => expect.closeTo(value, 9) as number;
const evaluated = (means: readonly (number | null)[]) => ({ tasks: means.map((mean, at) => ({ id: `t${at}`, mean })) });

// scipy 1.17.1: stats.t.ppf(0.975, df), 2 * stats.t.sf(t, df), comb, stats.ttest_rel(b, a).
it("agrees with scipy", () => {
  const critical = { 1: 12.7062047361747, 2: 4.302652729749462, 4: 2.7764451051977934, 5: 2.5705818356363146 };
  const more = { 11: 2.200985160091639, 30: 2.0422724563012378, 99: 1.9842169515864174, 1000: 1.9623390808264074 };
  for (const [degrees, t] of Object.entries({ ...critical, ...more })) {
    expect(criticalT(Number(degrees))).toBeCloseTo(t, 9);
    expect(twoSidedP(t, Number(degrees))).toBeCloseTo(0.05, 12);
  }
  const passes = [
    [8, 1, 1, 0.125],
    [8, 1, 4, 0.5],
    [8, 3, 4, 0.9285714285714286],
    [8, 5, 4, 1],
    [16, 2, 8, 0.7666666666666666],
    [4, 0, 4, 0],
    [4, 4, 1, 1],
  ] as const;
  for (const [n, c, k, value] of passes) expect(passAtK(n, c, k)).toBeCloseTo(value, 12);
  const a = [0.5, 0.75, 1, 0.25, 0, 0.5, 0.75, 1, 0.5, 0.25, 0.875, 0.625];
  const b = [0.625, 0.75, 1, 0.5, 0.25, 0.375, 1, 1, 0.75, 0.5, 0.875, 0.75];
  expect(compare(evaluated(a), evaluated(b))).toMatchObject({
    verdict: "better",
    difference: near(0.11458333333333333),
    error: near(0.039101937162997306),
    t: near(2.9303748521637205),
    p: near(0.013681242257293674),
    interval: [near(0.02852054990674051), near(0.20064611675992616)],
    carriedBy: [],
  });
  expect(compare(evaluated(b), evaluated(a)).verdict).toBe("worse");
  expect(compare(evaluated([1, 0, 1, 1, 0, 1, 0, 0]), evaluated([1, 0, 1, 0, 0, 1, 0, 0]))).toMatchObject({
    verdict: "not shown",
    difference: -0.125,
    interval: [near(-0.420578031449098), near(0.170578031449098)],
    why: "The mean changed by -0.125 in 8 tasks; its 95 % interval, -0.421 to 0.171, contains 0.",
  });
});

it("refuses pass@k of more attempts than there are, and of what is no number of attempts", () => {
  for (const [n, c, k] of [
    [4, 1, 5],
    [4, 5, 1],
    [4, -1, 1],
    [4, 1, 0],
    [4, 0.5, 1],
    [4, 1, NaN],
  ] as const)
    expect(() => passAtK(n, c, k)).toThrow(ConfigurationError);
  // The share of all choices of k attempts that have one that passed.
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), fc.nat(8), (attempts, more) => {
      const k = 1 + (more % attempts.length);
      const sets = Array.from({ length: 2 ** attempts.length }, (_, bits) =>
        attempts.filter((_, at) => (bits >> at) & 1),
      );
      const chosen = sets.filter(({ length }) => length === k);
      const share = chosen.filter((set) => set.includes(true)).length / chosen.length;
      expect(passAtK(attempts.length, attempts.filter(Boolean).length, k)).toBeCloseTo(share, 12);
    }),
  );
});

it("shows nothing of fewer than five common tasks, or of tasks that all differ alike", () => {
  const four = compare(evaluated([0, 0, 0, 0, null]), evaluated([1, 1, 1, 0.5, 1, 1]));
  expect(four).toMatchObject({ verdict: "not shown", interval: null, uncommon: ["t4", "t5"] });
  expect(four.why).toBe("The two have 4 tasks in common, and an interval needs at least 5.");
  expect(compare(evaluated([]), evaluated([]))).toMatchObject({ verdict: "not shown", difference: null });
  const before = [0.1, 0.2, 0.3, 0.7, 0.6, 0.5];
  for (const gain of [0, 0.125, 0.1, -0.3]) {
    const alike = compare(evaluated(before), evaluated(before.map((mean) => mean + gain)));
    expect(alike).toMatchObject({ verdict: "not shown", error: null, why: expect.stringContaining("without spread") });
  }
});

// The kinds of the table in the guide; each interval must hold the true difference in 93 to 97 % of the simulations.
it(
  "has intervals that hold the truth as often as they say, and names few tasks that carry the change",
  { tags: ["long"] },
  () => {
    let state = 1;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const meanOf = (skill: number, attempts: number) =>
      Array.from({ length: attempts }, () => Number(random() < skill)).reduce((a, b) => a + b) / attempts;
    const skills = {
      normal: { truth: 0.1, pair: () => [0, 0.1 + 0.2 * normal()] },
      "small gain": {
        truth: 0.05,
        pair: (n: number) => {
          const skill = 0.95 * random();
          return [meanOf(skill, n), meanOf(skill + 0.05, n)];
        },
      },
      "no change": {
        truth: 0,
        pair: (n: number) => {
          const skill = random() < 0.5 ? 0.05 : 0.95;
          return [meanOf(skill, n), meanOf(skill, n)];
        },
      },
      "one in ten falls": {
        truth: -0.08,
        pair: (n: number) => [meanOf(0.9, n), meanOf(random() < 0.1 ? 0.1 : 0.9, n)],
      },
    } as const;
    const rounds = Number(process.env["COVERAGE_ROUNDS"] ?? 1000);
    for (const [kind, { truth, pair }] of Object.entries(skills))
      for (const [tasks, attempts] of [
        [10, 8],
        [20, 4],
        [30, 8],
        [100, 4],
      ] as const) {
        let [held, carried] = [0, 0];
        for (let round = 0; round < rounds; round++) {
          const pairs = Array.from({ length: tasks }, () => pair(attempts));
          const { interval, carriedBy } = compare(
            evaluated(pairs.map(([a = 0]) => a)),
            evaluated(pairs.map(([, b = 0]) => b)),
          );
          if (interval === null || (interval[0] <= truth && truth <= interval[1])) held++;
          if (carriedBy.length > 0) carried++;
        }
        if (rounds > 1000)
          console.log(
            `${kind}, ${tasks} × ${attempts}: ${(held / rounds).toFixed(3)}, carried by few ${(carried / rounds).toFixed(2)}`,
          );
        if (kind === "one in ten falls") continue;
        expect({ kind, tasks, share: held / rounds }).toSatisfy(({ share }) => share >= 0.92 && share <= 0.98);
      }
  },
);

const model = { id: "m1", entity: "harbor", project: "p", name: "n" };
const tasks = [{ id: "a" }, { id: "b" }, { id: "c" }];

/** A service whose newest checkpoint has a step, and the logs that it got. */
function service(newest = 9) {
  const logs: LogRequest[] = [];
  const list = vi.fn(() => Promise.resolve({ data: [{ step: newest }] }));
  const log = (_: string, body: LogRequest) => Promise.resolve(void logs.push(body));
  // Only what evaluate calls.
  const training = { models: { log, checkpoints: { list } } } as unknown as EvaluateOptions<unknown>["training"];
  return { training, logs, list };
}

it("counts what a rollout throws beside the rewards, and never as one", async () => {
  const { training, logs } = service();
  const seeds: number[] = [];
  const run = (step: number) =>
    evaluate({
      training,
      model,
      step,
      tasks,
      attempts: 4,
      seed: 1,
      rollout: (task, { attempt, model: name, seed }) => {
        seeds.push(seed);
        expect(name).toBe(`artifact:///harbor/p/n:step${step}`);
        if (task.id === "c" || (task.id === "b" && attempt === 0)) throw new TypeError("no track");
        return { reward: attempt / 4, metrics: { passed: attempt > 1 } };
      },
    });
  const after = await run(9);
  expect(after).toMatchObject({
    step: 9,
    mean: (0.375 + 0.5) / 2,
    exceptionRate: 5 / 12,
    passAt: { 1: near(7 / 12), 2: near(11 / 12), 3: 1 },
    split: "val",
    notLogged: null,
  });
  expect(after.tasks.map(({ mean, passed, exceptions }) => [mean, passed, exceptions.length])).toEqual([
    [0.375, 2, 0],
    [0.5, 2, 1],
    [null, 0, 4],
  ]);
  expect(logs).toMatchObject([
    { split: "val", trajectory_groups: tasks.map(({ id }) => ({ metadata: { task: id } })) },
  ]);
  await run(8);
  expect(seeds.slice(12)).toEqual(seeds.slice(0, 12));
  expect(new Set(seeds).size).toBe(12);
});

it("logs an older step only under a split that names it", async () => {
  const { training, logs } = service();
  const rollout = vi.fn(() => ({ reward: 1 }));
  const plain = { training, model, step: 8, tasks, attempts: 2, rollout };
  const older = await evaluate(plain);
  expect(older).toMatchObject({
    split: null,
    passAt: { 1: 1, 2: 1 },
    notLogged:
      "Log joins the newest checkpoint, step 9, so the figures of step 8 would stand on it. Name a split of its own, such as val-step8.",
  });
  expect(logs).toEqual([]);
  expect(await evaluate({ ...plain, split: "val-step8" })).toMatchObject({ split: "val-step8", notLogged: null });
  expect(await evaluate({ ...plain, step: 9, split: null })).toMatchObject({
    split: null,
    notLogged: "split is null.",
  });
  expect(logs.map(({ split }) => split)).toEqual(["val-step8"]);
  rollout.mockClear();
  for (const split of ["val", "val-step9", "val-step18"])
    await expect(evaluate({ ...plain, split })).rejects.toThrow(`split cannot be "${split}". Log joins the newest`);
  expect(rollout).not.toHaveBeenCalled();
});

it("does not log what became an older step meanwhile", async () => {
  const { training, logs, list } = service();
  const rollout = () => {
    list.mockResolvedValue({ data: [{ step: 10 }] });
    return { reward: 1 };
  };
  expect(await evaluate({ training, model, tasks, attempts: 1, rollout })).toMatchObject({ step: 9, split: null });
  expect(logs).toEqual([]);
});

it("names the tasks that were also trained on, and refuses them unless allowed", async () => {
  const { training } = service();
  const options = { training, model, tasks, attempts: 1, rollout: () => ({ reward: 1 }), trainedOn: ["b", "c", "z"] };
  await expect(evaluate(options)).rejects.toThrow(
    "2 of 3 tasks were also trained on: b, c. Leave them out, or set allowTrained.",
  );
  expect(await evaluate({ ...options, allowTrained: true })).toMatchObject({ trainedOn: ["b", "c"] });
  await expect(evaluate({ ...options, tasks: [] })).rejects.toThrow("tasks is empty");
  await expect(evaluate({ ...options, tasks: [{ id: "a" }, { id: "a" }] })).rejects.toThrow(
    'Two tasks have the id "a"',
  );
});

it.each([
  // It throws where it would lose: what is left of it looks better.
  ["not shown", 4],
  // So few threw that the verdict stands whatever they would have got.
  ["better", 0],
  ["better", 1],
])("does not leave out attempts that threw: %s, %i of 8", (verdict, thrown) => {
  const task = (id: number, rewards: readonly number[], count: number) => ({
    id: `task-${id}`,
    mean: rewards.length === 0 ? null : rewards.reduce((sum, one) => sum + one, 0) / rewards.length,
    rewards,
    exceptions: Array.from({ length: count }, () => ({})),
  });
  const ids = Array.from({ length: 12 }, (_one, id) => id);
  const before = { tasks: ids.map((id) => task(id, [1, 1, 1, 0, id % 2, 0, 0, 0], 0)) };
  const rewards = [1, 1, 1, 1, 1, 1, 1, 0].slice(thrown);
  const after = { tasks: ids.map((id) => task(id, id % 3 === 0 ? [...rewards.slice(1), 0] : rewards, thrown)) };
  const found = compare(before, after);
  expect(found.verdict).toBe(verdict);
  if (verdict === "not shown") expect(found.why).toMatch(/^exceptions 0 → 50 %: .* between -?0\.\d+ and 0\.\d+\.$/);
});
