import { load } from "./connection.ts";
import { newFolder, startLimit, startLocal, startPrism, usageOf, type Running } from "./processes.ts";
import { atLeast, atMost, median, ratioOf, type Row } from "./report.ts";

const rounds = 11;
/** V8 compiles in threads of its own for some seconds, which a server that stays up pays once. */
const warmUps = 6;
const milliseconds = 1000;
/** The number of concurrent clients. */
const connections = 16;

/**
 * Durable, validated Log requests, compared with the least program that validates and stores them, and with Prism's
 * responses to the same requests, which Prism validates and does not store.
 */
export async function measureLog(): Promise<Row[]> {
  const three: Servers = {
    local: await startLocal(newFolder()),
    limit: await startLimit(newFolder()),
    prism: await startPrism(),
  };
  const created = await fetch(`${three.local.url}/v1/preview/models`, {
    method: "POST",
    headers: { Authorization: "Bearer bench", "Content-Type": "application/json" },
    body: JSON.stringify({ project: "support-desk", name: "agent-1", base_model: "demo/tiny" }),
  });
  const { id } = (await created.json()) as { id: string };
  const path = `/v1/preview/models/${id}/log`;
  const rows: Row[] = [];
  for (const attempts of [1, 8, 72]) rows.push(...(await measureSize(three, path, logBody(attempts))));
  for (const { child } of Object.values(three)) child.kill();
  return rows;
}

interface Servers {
  readonly local: Running;
  readonly limit: Running;
  readonly prism: Running;
}

async function measureSize(three: Servers, path: string, body: string): Promise<Row[]> {
  const rates: Record<keyof Servers, number[]> = { local: [], limit: [], prism: [] };
  const processor: typeof rates = { local: [], limit: [], prism: [] };
  for (let round = 0; round < rounds + warmUps; round++) {
    for (const name of ["local", "limit", "prism"] as const) {
      const before = usageOf(three[name]);
      const { done, seconds } = await load(three[name].url + path, body, milliseconds, connections);
      const after = usageOf(three[name]);
      if (round < warmUps) continue;
      rates[name].push(done / seconds);
      if (before && after) processor[name].push((after.processor - before.processor) / done);
    }
  }
  const size = `Log of ${Math.round(body.length / 1000)} kB`;
  // Keys, limits, headers and the way to the thread cost the same for each request, and weigh most in a small one: on
  // 2026-11-27, 2 kB reached × 0.58 and × 0.45.
  const bars = body.length < 10_000 ? { rate: 0.5, processor: 0.4 } : { rate: 0.6, processor: 0.5 };
  const rows: Row[] = [
    {
      what: `${size}, a second, against the limit program`,
      ours: median(rates.local).toFixed(0),
      other: median(rates.limit).toFixed(0),
      ...atLeast(ratioOf(rates.local, rates.limit), bars.rate),
    },
  ];
  if (processor.local.length === 0) return rows;
  // On a busy machine, processor time is more meaningful than elapsed time.
  const [m = 0, n = 0] = [three.local, three.prism].map((running) => usageOf(running)?.memory);
  rows.push(
    {
      what: `${size}, time of the processor for one, against the limit program (ratio: how many times less)`,
      ours: `${median(processor.local).toFixed(3)} ms`,
      other: `${median(processor.limit).toFixed(3)} ms`,
      ...atLeast(ratioOf(processor.limit, processor.local), bars.processor),
    },
    {
      what: `${size}, memory after it, against Prism`,
      ours: `${m.toFixed(0)} MiB`,
      other: `${n.toFixed(0)} MiB`,
      ...atMost(m / n, 1),
    },
  );
  return rows;
}

/** One group of attempts with six messages each: 2 kB per attempt. Its text is as repetitive as conversations are. */
function logBody(attempts: number): string {
  const vocabulary =
    "the train leaves Voss at noon and reaches Bergen before dark with seats prices delays and refunds".split(" ");
  let seed = 1;
  const word = () => vocabulary[(seed = (seed * 48_271) % 2_147_483_647) % vocabulary.length];
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
