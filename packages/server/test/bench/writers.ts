import { Connection, requestBytes } from "./connection.ts";
import { newFolder, startLocal } from "./processes.ts";
import type { Row } from "./report.ts";

const writers = 64;
const warmUpMs = 2000;
const milliseconds = 10_000;

/** The load of a team: durable Log requests of 64 concurrent writers, and how long each of them waits. */
export async function measureWriters(): Promise<Row> {
  const { child, url } = await startLocal(newFolder());
  const created = await fetch(`${url}/v1/preview/models`, {
    method: "POST",
    headers: { Authorization: "Bearer bench", "Content-Type": "application/json" },
    body: JSON.stringify({ project: "support-desk", name: "agent-1", base_model: "demo/tiny" }),
  });
  const { id } = (await created.json()) as { id: string };
  const content = "Voss 9:31, track 2 to Bergen. ".repeat(60);
  const trajectory = { reward: 1, messages_and_choices: [{ role: "user", content }] };
  const body = JSON.stringify({ split: "train", trajectory_groups: [{ trajectories: [trajectory] }] });
  const request = requestBytes(`${url}/v1/preview/models/${id}/log`, body);
  const waits: number[] = [];
  const start = performance.now();
  const open = await Promise.all(Array.from({ length: writers }, () => Connection.open(url)));
  await Promise.all(
    open.map(async (connection) => {
      for (let sent = start; sent - start < warmUpMs + milliseconds;) {
        sent = performance.now();
        await connection.ask(request);
        if (sent - start > warmUpMs) waits.push(performance.now() - sent);
      }
    }),
  );
  for (const connection of open) connection.close();
  child.kill();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(0)} ms`;
  const rate = Math.round(waits.length / (milliseconds / 1000));
  const kilobytes = (Buffer.byteLength(body) / 1000).toFixed(1);
  return {
    what: `Log of ${kilobytes} kB, ${writers} writers at once`,
    ours: `${rate} calls/s, p50 ${at(0.5)}, p99 ${at(0.99)}`,
  };
}
