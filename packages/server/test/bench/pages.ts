import { join } from "node:path";
import { createServer } from "../../src/index.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";
import { migrate } from "../../src/store/migrations.ts";
import { newFolder } from "./processes.ts";
import { atMost, median, type Row } from "./report.ts";

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

/** Page 1,000 of a model's checkpoints, compared with page 1. */
export async function measurePages(): Promise<Row> {
  const data = newFolder();
  const database = new NodeDatabase(join(data, "trainyard.sqlite"));
  migrate(database);
  database.exec(`insert into models(id, entity, project, name, base_model, last_step, created)
      values('${id}', 'bench', 'p', 'n', 'b', 100000, 0);
    with recursive n(i) as (select 0 union all select i + 1 from n where i < 100000)
    insert into checkpoints(id, model_id, step)
    select '00000000-0000-4000-8000-' || printf('%012d', i), '${id}', i from n`);
  database.close();
  const server = createServer({ data, keys: [{ key: "bench", entity: "bench" }] });
  const { baseUrl, apiKey, fetch } = server.connect("training");
  const read = async (after: string) => {
    const start = performance.now();
    const response = await fetch(`${baseUrl}/v1/preview/models/${id}/checkpoints?limit=100${after}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const { data: items } = (await response.json()) as { data: unknown[] };
    if (items.length !== 100) throw new Error("A page is not full.");
    return performance.now() - start;
  };
  const last = `&after=00000000-0000-4000-8000-${String(999 * 100 - 1).padStart(12, "0")}`;
  const times: { first: number[]; last: number[] } = { first: [], last: [] };
  for (let round = 0; round < 300; round++) {
    times.first.push(await read(""));
    times.last.push(await read(last));
  }
  await server.close();
  const [a, b] = [median(times.last), median(times.first)];
  return {
    what: "Page 1,000 of a list, against page 1",
    ours: `${a.toFixed(2)} ms`,
    other: `${b.toFixed(2)} ms`,
    ...atMost(a / b, 1.2),
  };
}
