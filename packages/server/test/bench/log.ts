import { load } from "./connection.ts";
import { newFolder, startLocal, startPrism, usageOf, type Running } from "./processes.ts";
import { atLeast, atMost, median, ratioOf, type Row } from "./report.ts";

const rounds = 11;
const warmUps = 2;
const milliseconds = 1000;
/** How many ask at the same time. */
const connections = 16;

/** Durable, validated Log requests against Prism's answers to the same ones, which it validates and keeps nothing of. */
export async function measureLog(): Promise<Row[]> {
  const both = { local: await startLocal(newFolder()), prism: await startPrism() };
  const created = await fetch(`${both.local.url}/v1/preview/models`, {
    method: "POST",
    headers: { Authorization: "Bearer bench", "Content-Type": "application/json" },
    body: JSON.stringify({ project: "support-desk", name: "agent-1", base_model: "demo/tiny" }),
  });
  const { id } = (await created.json()) as { id: string };
  const path = `/v1/preview/models/${id}/log`;
  const rows: Row[] = [];
  for (const attempts of [1, 8, 72]) rows.push(...(await measureSize(both, path, logBody(attempts))));
  for (const { child } of Object.values(both)) child.kill();
  return rows;
}

async function measureSize(both: { local: Running; prism: Running }, path: string, body: string): Promise<Row[]> {
  const rates: Record<keyof typeof both, number[]> = { local: [], prism: [] };
  const processor: typeof rates = { local: [], prism: [] };
  for (let round = 0; round < rounds + warmUps; round++) {
    for (const name of ["local", "prism"] as const) {
      const before = usageOf(both[name]);
      const { done, seconds } = await load(both[name].url + path, body, milliseconds, connections);
      const after = usageOf(both[name]);
      if (round < warmUps) continue;
      rates[name].push(done / seconds);
      if (before && after) processor[name].push((after.processor - before.processor) / done);
    }
  }
  const size = `Log of ${Math.round(body.length / 1000)} kB`;
  const [a, b] = [median(rates.local), median(rates.prism)];
  const rows: Row[] = [
    {
      what: `${size}, a second`,
      ours: a.toFixed(0),
      other: b.toFixed(0),
      ...atLeast(ratioOf(rates.local, rates.prism), 3),
    },
  ];
  if (processor.local.length === 0) return rows;
  // On a machine that is busy elsewhere, time of the processor says more than the clock.
  const [c, d] = [median(processor.local), median(processor.prism)];
  const [m = 0, n = 0] = [both.local, both.prism].map((running) => usageOf(running)?.memory);
  rows.push(
    {
      what: `${size}, time of the processor for one (ratio: how many times less)`,
      ours: `${c.toFixed(3)} ms`,
      other: `${d.toFixed(3)} ms`,
      ratio: ratioOf(processor.prism, processor.local),
    },
    {
      what: `${size}, memory after it`,
      ours: `${m.toFixed(0)} MiB`,
      other: `${n.toFixed(0)} MiB`,
      ...atMost(m / n, 1),
    },
  );
  return rows;
}

/** One group of attempts, of six messages each: 2 kB an attempt. Its text repeats itself as conversations do. */
function logBody(attempts: number): string {
  const words =
    "the train leaves Voss at noon and reaches Bergen before dark with seats prices delays and refunds".split(" ");
  let seed = 1;
  const word = () => words[(seed = (seed * 48_271) % 2_147_483_647) % words.length];
  const trajectories = Array.from({ length: attempts }, () => ({
    messages_and_choices: Array.from({ length: 6 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: Array.from({ length: 50 }, word).join(" "),
    })),
    reward: 0.5,
    metrics: { turns: 3, solved: true },
  }));
  return JSON.stringify({ split: "train", trajectory_groups: [{ trajectories }] });
}
