// The least that a log can cost in one process: `node:http`, `JSON.parse`, the built validator of the body, and one prepared
// insert that is on disk before the response. No keys, no metrics, no limits. It prints its address, as `child.ts` does.
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLogRequest } from "@trainyard/training/validators";

const [folder = "."] = process.argv.slice(2);
const database = new DatabaseSync(join(folder, "limit.sqlite"));
// With the same settings as src/store/database.ts.
database.exec(
  "pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000",
);
database.exec("create table logs(seq integer primary key, created integer not null, body blob not null)");
const insert = database.prepare("insert into logs(created, body) values(?, ?)");

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const bytes = Buffer.concat(parts);
    const valid = isLogRequest(JSON.parse(bytes.toString()));
    if (valid) insert.run(Date.now(), bytes);
    response.writeHead(valid ? 200 : 422, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ metrics: {}, step: 0 }));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` });
});
process.once("SIGTERM", () => process.exit());
