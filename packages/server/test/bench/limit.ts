// The least that a log can cost in one process: `node:http`, `JSON.parse`, the built validator of the body, its metrics, the facts
// of its groups, and the rows that the server writes, by its own functions. As in the server, the requests of one turn of the event
// loop are committed together, and answered when they are on disk. No keys, no limits, no log, no threads. It prints its address,
// as `child.ts` does.
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { LogRequest } from "@trainyard/training";
import { isLogRequest } from "@trainyard/training/validators";
import { readGroup } from "../../src/console/group-facts.ts";
import { logMetrics } from "../../src/logs/log-metrics.ts";
import { storeLog } from "../../src/store/commands/logs.ts";
import { migrate } from "../../src/store/migrations.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";

const [folder = "."] = process.argv.slice(2);
const database = new NodeDatabase(join(folder, "limit.sqlite"));
migrate(database);
database.run(
  "insert into models(id, entity, project, name, base_model, created) values('model', 'harbor', 'limit', 'limit', 'demo/tiny', 0)",
);
database.run("insert into checkpoints(id, model_id, step, created) values('checkpoint', 'model', 0, 0)");

interface Waiting {
  readonly body: Buffer;
  readonly log: LogRequest;
  readonly metrics: Record<string, number>;
  readonly response: ServerResponse;
}
let waiting: Waiting[] = [];

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    const log: unknown = JSON.parse(body.toString());
    if (!isLogRequest(log)) answer(response, 422);
    else if (waiting.push({ body, log, response, ...logMetrics(log) }) === 1) setImmediate(commit);
  });
});

function commit(): void {
  const turn = waiting;
  waiting = [];
  database.transaction(() => {
    const now = Date.now();
    for (const { body, log, metrics } of turn) {
      database.run("update checkpoints set metrics = :metrics where id = 'checkpoint'", {
        metrics: JSON.stringify(metrics),
      });
      const of = { modelId: "model", step: 0, split: log.split, created: now };
      storeLog({ database, now }, { ...of, body }, log.trajectory_groups.map(readGroup));
    }
  });
  for (const { response, metrics } of turn) answer(response, 200, metrics);
}

function answer(response: ServerResponse, status: number, metrics: Record<string, number> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ metrics, step: 0 }));
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` });
});
process.once("SIGTERM", () => process.exit());
