import { rmSync } from "node:fs";
import { join } from "node:path";
import { planStatistics } from "../../src/statistics/statistics.ts";
import { statisticsSql } from "../../src/statistics/sql.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";
import { migrate } from "../../src/store/migrations.ts";
import { Connection, requestBytes } from "./connection.ts";
import { newFolder, startLocal } from "./processes.ts";
import { atMost, median, ratioOf, type Row } from "./report.ts";

const end = Date.UTC(2026, 10, 4);
const hours = 47;
// The entity of the server's key.
const project = "harbor/statistics";
const request = {
  project_id: project,
  start: new Date(end - hours * 3_600_000).toISOString(),
  end: new Date(end).toISOString(),
  granularity: 3600,
  metrics: [{ json_path: "output.score", percentiles: [95] }],
};

/** Statistics over a port, compared with their SQL in this thread: the server's statements, each prepared once. */
export async function measureStatistics(rows: number): Promise<Row> {
  const folder = newFolder();
  const file = join(folder, "trainyard.sqlite");
  fill(file, rows);
  const { input } = planStatistics(request, end);
  if (!input) throw new Error("There is nothing to calculate.");
  const { sql, params } = statisticsSql(input.metrics, input.filters);
  const { child, url } = await startLocal(folder);
  const database = new NodeDatabase(file, true);
  const connection = await Connection.open(url);
  const bytes = requestBytes(`${url}/auxiliary/feedback/stats`, JSON.stringify(request));
  const { buckets } = JSON.parse(await connection.ask(bytes)) as { buckets: { count: number }[] };
  const counted = buckets.reduce((sum, { count }) => sum + count, 0);
  if (counted !== rows) throw new Error(`The server counts ${counted} of ${rows} rows.`);
  const times: Record<"hand" | "ours", number[]> = { hand: [], ours: [] };
  // A server that stays up has compiled what it runs.
  const warm = performance.now() + 5000;
  for (let measured = 0; measured < 5 || (measured < 200 && times.ours.length * median(times.ours) < 5000);) {
    const start = performance.now();
    for (const [from, to] of [...input.buckets, input.window]) database.get(sql, { ...params, from, to });
    const between = performance.now();
    await connection.ask(bytes);
    if (between < warm) continue;
    measured++;
    times.hand.push(between - start);
    times.ours.push(performance.now() - between);
  }
  connection.close();
  database.close();
  child.kill();
  rmSync(folder, { recursive: true, force: true });
  return {
    what: `Statistic over ${rows.toLocaleString("en")} rows, against its SQL by hand`,
    ours: `${median(times.ours).toFixed(1)} ms`,
    other: `${median(times.hand).toFixed(1)} ms`,
    // The way between processes and threads weighs less, the more rows there are: on 2026-11-27, × 1.35, × 1.20 and × 1.12.
    ...atMost(ratioOf(times.ours, times.hand), rows < 100_000 ? 1.5 : rows < 1_000_000 ? 1.3 : 1.15),
  };
}

function fill(file: string, rows: number): void {
  const database = new NodeDatabase(file);
  migrate(database);
  // The data may be lost.
  database.exec("pragma journal_mode = off; pragma synchronous = off");
  database.run(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < :last)
     insert into feedback(project, id, created_at, feedback_type, payload)
     select :project, printf('%08d', i), :start + i * :step, 'score',
       jsonb('{"output":{"score":' || ((i * 7919) % 1000) / 1000.0 || '}}') from n`,
    {
      last: rows - 1,
      project,
      start: (end - hours * 3_600_000) * 1000,
      step: Math.floor((hours * 3_600_000_000) / rows),
    },
  );
  database.close();
}
