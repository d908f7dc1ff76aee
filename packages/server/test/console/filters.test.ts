import type { SearchLine } from "@trainyard/console";
import type { RunsRolloutsExportQuery } from "@trainyard/local";
import { expect, it } from "vitest";
import { generator } from "./rollouts.ts";
import { answer, makeData } from "./underived-data.ts";

/** Attempts as programs log them, and as the simplest reading of the logs sees them. */
interface Plain {
  readonly id: string;
  readonly group: string;
  readonly step: number;
  readonly split: string;
  readonly task: string;
  readonly place: number;
  readonly reward?: number;
  readonly advantage?: number | null;
  readonly tools: number;
  readonly lines: number;
  readonly exception?: string;
  readonly final?: number;
  readonly started?: string;
  readonly finish?: string;
  readonly metadata: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** Of the group itself. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly metrics: Readonly<Record<string, number>>;
  readonly texts: readonly string[];
}

const words = ["parcel", "refund", "Größe", "two mugs", "NOT yet", "lookup_parcel"];
const values = ["gsm8k", "math", 3, 4, true, null, "!x", "1..2", "__proto__"] as const;

/** Fills a run at random, and returns its attempts. */
function fill(seed: number): { data: ReturnType<typeof makeData>; plain: Plain[] } {
  const random = generator(seed);
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  const maybe = <T>(share: number, make: () => T): T | undefined => (random() < share ? make() : undefined);
  const data = makeData();
  data.addModel("m");
  const plain: Plain[] = [];
  for (let seq = 1; seq <= 30; seq++) {
    const [step, split] = [Math.floor(seq / 3), pick(["train", "val"])];
    const groups = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      metadata: {
        task: `${pick(["Refund", "size", "late"])}-${pick([1, 2])}`,
        ...maybe(0.5, () => ({ dataset: pick(values) })),
      },
      ...maybe(0.3, () => ({ metrics: { cost: pick([1, 2]) } })),
      ...maybe(0.3, () => ({ logs: [`group ${pick(words)}`] })),
      trajectories: Array.from({ length: Math.floor(random() * 5) }, () => ({
        messages_and_choices: [
          { role: "user", content: pick(words) },
          ...(maybe(0.3, () => [
            {
              ...answer(""),
              message: {
                role: "assistant",
                content: null,
                reasoning: pick(words),
                tool_calls: [{ id: "c", type: "function", function: { name: pick(words), arguments: pick(words) } }],
              },
            },
            { role: "tool", tool_call_id: "c", content: `data:image/png;base64,parcel ${pick(words)}` },
          ]) ?? []),
          { ...answer(pick(words)), finish_reason: pick(["stop", "length"]) },
        ],
        reward: pick([0, 0.25, 0.5, 1]),
        ...maybe(0.6, () => ({ metadata: { dataset: pick(values), seed: Math.floor(random() * 99) } })),
        ...maybe(0.7, () => ({ metrics: { passed: random() < 0.5, turns: pick([1, 4, 7]) } })),
        ...maybe(0.3, () => ({ logs: [pick(words), pick(words)] })),
        ...maybe(0.5, () => ({ final_policy_version: pick([0, step]) })),
        ...maybe(0.5, () => ({ start_time: `2026-11-0${pick([3, 4, 5])}T12:00:00Z` })),
      })),
      ...maybe(0.3, () => ({
        exceptions: [{ type: pick(["Late", "Lost"]), message: pick(words), traceback: "at x" }],
      })),
    }));
    data.addLog("m", step, split, groups);
    for (const [at, { metadata, metrics, logs = [], trajectories, exceptions = [] }] of groups.entries()) {
      const group = `${seq}.${at}`;
      const rewards = trajectories.map(({ reward }) => reward);
      const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
      const sd = Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length);
      const shared = { group, step, split, task: metadata.task, shared: metadata };
      for (const [place, one] of trajectories.entries()) {
        const entries = one.messages_and_choices.map((entry) => ("message" in entry ? entry.message : entry)) as {
          content?: string | null;
          reasoning?: string;
          tool_calls?: { function: { name: string; arguments: string } }[];
        }[];
        const calls = entries.flatMap((entry) => entry.tool_calls ?? []);
        plain.push({
          ...shared,
          id: `${group}.${place}`,
          place,
          reward: one.reward,
          advantage: rewards.length < 2 ? null : sd === 0 ? 0 : (one.reward - mean) / sd,
          tools: calls.length,
          lines: one.logs?.length ?? 0,
          finish: String(Object(one.messages_and_choices.at(-1)).finish_reason),
          ...(one.final_policy_version !== undefined && { final: one.final_policy_version }),
          ...(one.start_time !== undefined && { started: one.start_time }),
          metadata: { ...metadata, ...(one.metadata?.dataset === null ? { seed: one.metadata.seed } : one.metadata) },
          metrics: { ...metrics, ...(one.metrics && { passed: Number(one.metrics.passed), turns: one.metrics.turns }) },
          texts: [
            ...entries.flatMap(({ content, reasoning }) => [content ?? "", reasoning ?? ""]),
            ...calls.flatMap((call) => [call.function.name, call.function.arguments]),
            ...(one.logs ?? []),
            ...logs,
          ].map((text) => text.replace("data:image/png;base64,parcel", "").toLowerCase()),
        });
      }
      for (const [at_, { type, message, traceback }] of exceptions.entries())
        plain.push({
          ...shared,
          id: `${group}.${trajectories.length + at_}`,
          place: trajectories.length + at_,
          tools: 0,
          lines: 0,
          exception: type,
          metadata,
          metrics: { ...metrics },
          texts: [`${type}: ${message}`, traceback, ...logs].map((text) => text.toLowerCase()),
        });
    }
  }
  return { data, plain };
}

/** The pieces of a download. */
function piecesOf(
  data: ReturnType<typeof makeData>,
  name: "rollouts.export" | "rollouts.search",
  query: object,
): string[] {
  const pieces: string[] = [];
  for (let after: object | undefined; ;) {
    const piece = data.ask(name, { id: "m", ...query, ...(after && { after: after as never }) });
    pieces.push(piece.text);
    after = piece.next;
    if (after === undefined) return pieces;
  }
}

type Query = Omit<RunsRolloutsExportQuery, "text">;

// A query, and what it means.
const filters: [Query, (one: Plain) => boolean][] = [
  [{}, () => true],
  [{ filter: { "metadata.dataset": "gsm8k" } }, ({ metadata }) => metadata["dataset"] === "gsm8k"],
  [{ filter: { "metadata.dataset": "!gsm8k" } }, ({ metadata }) => metadata["dataset"] !== "gsm8k"],
  [
    { filter: { "metadata.dataset": "3..4" } },
    ({ metadata }) => [3, 4].includes(Number(metadata["dataset"] ?? 0) - 0) && typeof metadata["dataset"] === "number",
  ],
  [{ filter: { "metadata.dataset": "true" } }, ({ metadata }) => metadata["dataset"] === true],
  [{ filter: { "metadata.dataset": '"!x"' } }, ({ metadata }) => metadata["dataset"] === "!x"],
  [{ filter: { "metadata.dataset": '!"1..2"' } }, ({ metadata }) => metadata["dataset"] !== "1..2"],
  [{ filter: { "metadata.dataset": ".." } }, ({ metadata }) => metadata["dataset"] != null],
  [{ filter: { "metadata.dataset": "!.." } }, ({ metadata }) => metadata["dataset"] == null],
  [{ filter: { "metadata.__proto__": ".." } }, () => false],
  [{ filter: { "metadata.constructor": ".." } }, () => false],
  [
    { filter: { "metadata.dataset": "math", "metadata.seed": "..50" } },
    ({ metadata }) => metadata["dataset"] === "math" && Number(metadata["seed"] ?? 99) <= 50,
  ],
  [
    { filter: { "metric.passed": "1", "metric.turns": "..4" } },
    ({ metrics }) => metrics["passed"] === 1 && (metrics["turns"] ?? 9) <= 4,
  ],
  [{ filter: { "metric.turns": ["2..", "!7"] } }, ({ metrics }) => metrics["turns"] === 4],
  [{ filter: { "metric.cost": "2" } }, ({ metrics }) => metrics["cost"] === 2],
  [{ flag: ["cut", "!exception"] }, ({ finish }) => finish === "length"],
  [{ flag: "exception" }, ({ exception }) => exception !== undefined],
  [{ flag: "!cut", finish: "length" }, () => false],
  [{ exception: "!Late", flag: "exception" }, ({ exception }) => exception === "Lost"],
  [{ q: "FUND" }, ({ task }) => task.startsWith("Refund")],
  [{ q: ["!refund", "1"] }, ({ task }) => !task.startsWith("Refund") && task.endsWith("1")],
  [{ step: "2..5", split: "!val" }, ({ step, split }) => step >= 2 && step <= 5 && split === "train"],
  [{ step: ["..8", "!3..4"] }, ({ step }) => step <= 8 && step !== 3 && step !== 4],
  [{ task: "size-1", reward: "0.5.." }, ({ task, reward }) => task === "size-1" && (reward ?? 0) >= 0.5],
  [{ reward: "!0.25.." }, ({ reward }) => reward === undefined || reward < 0.25],
  [{ advantage: "0.5..1.2e0" }, ({ advantage }) => advantage != null && advantage >= 0.5 && advantage <= 1.2],
  [{ log_lines: "1..", tool_calls: "0" }, ({ lines, tools }) => lines > 0 && tools === 0],
  [{ final_policy: "1.." }, ({ final }) => (final ?? 0) >= 1],
  [{ start: "2026-11-04..2026-11-05" }, ({ started }) => started?.startsWith("2026-11-04") === true],
  [{ start: "!..2026-11-05" }, ({ started }) => started === undefined || started.startsWith("2026-11-05")],
];

it.each([1, 2, 3])("finds what a plain reading of the logs finds, in lists, exports and curves (seed %i)", (seed) => {
  const { data, plain } = fill(seed);
  for (const [query, passes] of filters) {
    const same = (ours: unknown, others: unknown) => expect({ query, found: ours }).toEqual({ query, found: others });
    const expected = plain.filter(passes);
    const page = data.ask("rollouts.list", { id: "m", sort: "step", limit: 5000, ...query });
    same(page.data.map(({ id }) => id).toSorted(), expected.map(({ id }) => id).toSorted());
    const lines = piecesOf(data, "rollouts.export", query).join("").split("\n").slice(0, -1);
    const exported = lines.map((line): string => JSON.parse(line).id);
    same(
      exported,
      expected.map(({ id }) => id),
    );
    if ("split" in query) continue;
    const ofSplit = expected.filter(({ split }) => split === "train");
    const rewards = ofSplit.flatMap(({ reward }) => reward ?? []);
    const curve = data.ask("runs.curve", { id: "m", ...query, split: "train", by: "dataset" });
    same(
      curve.n.reduce((sum, n) => sum + n, 0),
      rewards.length,
    );
    same(
      curve.exceptions.reduce((sum, n) => sum + n, 0),
      ofSplit.length - rewards.length,
    );
    // The parts are all attempts, each once.
    for (const { of, value, n, mean } of curve.by ?? []) {
      const some = ofSplit.flatMap(({ reward, step, metadata }) => {
        const own = metadata["dataset"] ?? undefined;
        const isHere = of === "value" ? own !== undefined && String(own) === value : of === "none" && own === undefined;
        return isHere && reward !== undefined ? [{ reward, step }] : [];
      });
      for (const [at, step] of curve.step.entries()) {
        const here = some.flatMap((one) => (one.step === step ? one.reward : []));
        same(
          [n[at], mean[at]],
          [
            here.length,
            here.length === 0 ? null : expect.closeTo(here.reduce((sum, reward) => sum + reward, 0) / here.length, 9),
          ],
        );
      }
    }
    same(curve.by?.reduce((sum, { attempts }) => sum + attempts, 0) ?? 0, rewards.length);
  }
});

it("shows the eight values of the most attempts, and the others together", () => {
  const data = makeData();
  data.addModel("m");
  const trajectories = Array.from({ length: 60 }, (_, at) => ({
    reward: at,
    metadata: { of: Math.floor(Math.sqrt(at)), all: at },
  }));
  data.addLog("m", 0, "train", [{ trajectories: trajectories.slice(0, 30) }, { trajectories: trajectories.slice(30) }]);
  const curve = data.ask("runs.curve", { id: "m", split: "train", by: "all" });
  expect(curve.by?.map(({ of, attempts }) => [of, attempts])).toEqual([
    ...Array.from({ length: 8 }, () => ["value", 1]),
    ["others", 52],
  ]);
  const keys = data.ask("runs.keys", { id: "m" });
  expect(keys).toMatchObject({
    metadata: [
      { name: "all", values: 60, more: false },
      { name: "of", values: 8, top: ["6", "5", "7", "4", "3", "2", "1", "0"] },
    ],
  });
});

it.each([1, 2])("orders attempts by any metric and by their advantage (seed %i)", (seed) => {
  const { data, plain } = fill(seed);
  const byName: Record<string, (one: Plain) => number | null | undefined> = {
    advantage: ({ advantage }) => advantage,
    "metric.turns": ({ metrics }) => metrics["turns"],
    "metric.cost": ({ metrics }) => metrics["cost"],
  };
  for (const [name, valueOf] of Object.entries(byName)) {
    for (const sign of ["", "-"]) {
      const page = data.ask("rollouts.list", { id: "m", sort: `${sign}${name}`, limit: 5000 });
      const shown = page.data.map(({ id }) => plain.find((one) => one.id === id)).map((one) => one && valueOf(one));
      // Equal advantages differ by rounding.
      const known = shown.flatMap((value) => (value == null ? [] : Number(value.toFixed(9))));
      expect(known).toEqual(known.toSorted((a, b) => (sign === "" ? a - b : b - a)));
      expect(shown.slice(known.length).every((value) => value == null)).toBe(true);
    }
  }
});

it("lists groups of which one attempt meets each condition, or none if it is negated", () => {
  const { data, plain } = fill(4);
  for (const [query, one, isNot] of [
    [
      { filter: { "metadata.dataset": "gsm8k" } },
      ({ metadata, shared }) => [metadata, shared].some((one) => one["dataset"] === "gsm8k"),
      false,
    ],
    [
      { filter: { "metadata.dataset": "!math" } },
      ({ metadata, shared }) => [metadata, shared].some((one) => one["dataset"] === "math"),
      true,
    ],
    [{ reward: "1" }, ({ reward }) => reward === 1, false],
    [{ flag: "!exception" }, ({ exception }) => exception !== undefined, true],
  ] as [Query, (one: Plain) => boolean, boolean][]) {
    const page = data.ask("groups.list", { id: "m", sort: "flagged", limit: 5000, ...query });
    const having = new Set(plain.filter(one).map(({ group }) => group));
    const all = [...new Set(plain.map(({ group }) => group))].filter((group) => having.has(group) !== isNot);
    // A group without attempts has only its own metadata.
    const found = page.data.filter(({ attempts, exceptions }) => attempts + exceptions > 0).map(({ id }) => id);
    expect({ query, found: found.toSorted() }).toEqual({ query, found: all.toSorted() });
    const pages = data.idsOf("groups.list", { id: "m", sort: "flagged", limit: 3, ...query });
    expect(pages).toEqual(page.data.map(({ id }) => id));
  }
});

it.each([
  "parcel",
  "größe",
  '"two mugs"',
  "mugs two",
  '"mugs two"',
  "refund -parcel",
  '-"not yet" late',
  "base64",
  "at x",
  "lookup",
])("searches for %j as a plain reading does, newest first", (text) => {
  const [has, hasNot]: [string[], string[]] = [[], []];
  for (const [, minus, phrase, word] of text.matchAll(/(-?)(?:"([^"]+)"|(\S+))/g))
    (minus ? hasNot : has).push(phrase ?? word ?? "");
  const { data, plain } = fill(6);
  const expected = plain.filter(
    ({ texts, reward }) =>
      has.every((word) => texts.some((one) => one.includes(word))) &&
      hasNot.every((word) => !texts.some((one) => one.includes(word))) &&
      (reward ?? 0) < 1,
  );
  const lines = piecesOf(data, "rollouts.search", { text, reward: "!1" }).map((line): SearchLine => JSON.parse(line));
  const hits = lines.flatMap((line) => line.hits);
  for (const { excerpt } of hits) expect(excerpt[1]?.toLowerCase()).toBe(has[0]);
  const found = hits.map(({ rollout }) => rollout.id);
  expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  const steps = found.map((id) => plain.find((one) => one.id === id)?.step ?? -1);
  expect(steps).toEqual(steps.toSorted((a, b) => b - a));
  expect(lines.at(-1)).toMatchObject({ read: plain.length, of: plain.length });
});
