// The least that a log can cost in one process: `node:http`, `JSON.parse`, the built validator of the body, the facts of its groups,
// and the rows that the server writes, by its own functions. As in the server, the requests of one turn of the event loop are
// committed together, and answered when they are on disk. No keys, no metrics, no limits, no threads. It prints its address, as
// `child.ts` does.
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { LogRequest } from "@trainyard/training";
import { isLogRequest } from "@trainyard/training/validators";
import { readGroup } from "../../src/console/group-facts.ts";
import { addLogged } from "../../src/store/commands/groups.ts";
import { migrate } from "../../src/store/migrations.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";

const [folder = "."] = process.argv.slice(2);
const database = new NodeDatabase(join(folder, "limit.sqlite"));
migrate(database);
database.run(
  "insert into models(id, entity, project, name, base_model, created) values('model', 'harbor', 'limit', 'limit', 'demo/tiny', 0)",
);

interface Waiting {
  readonly body: Buffer;
  readonly log: LogRequest;
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
    else if (waiting.push({ body, log, response }) === 1) setImmediate(commit);
  });
});

function commit(): void {
  const turn = waiting;
  waiting = [];
  database.transaction(() => {
    for (const { body, log } of turn) {
      const created = Date.now();
      const { seq } = database.get(
        "insert into logs(model_id, step, split, created, body) values('model', 0, :split, :created, :body) returning seq",
        { split: log.split, created, body },
      ) as { seq: number };
      addLogged(
        database,
        { modelId: "model", seq, step: 0, split: log.split, created },
        log.trajectory_groups.map(readGroup),
      );
    }
  });
  for (const { response } of turn) answer(response, 200);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ metrics: {}, step: 0 }));
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` });
});
process.once("SIGTERM", () => process.exit());
