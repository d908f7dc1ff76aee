/**
 * `pnpm bench:server`: the local server against Prism, against the same SQL by hand, and against its own bars; ratios in
 * one run. `--rows 10000000` for all of the statistics; a million rows without it. `--only start|log|pages|statistics` for one part.
 */
import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createServer } from "../../src/index.ts";
import { planStatistics } from "../../src/statistics/statistics.ts";
import { statisticsSql } from "../../src/statistics/sql.ts";
import { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrations.ts";

const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" }, only: { type: "string" } } });
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-"));
  folders.push(folder);
  return folder;
};
process.on("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

let missed = false;
function row(what: string, figures: string, ratio: number, bar: number, atLeast: boolean): void {
  const holds = atLeast ? ratio >= bar : ratio <= bar;
  missed ||= !holds;
  console.log(
    `${holds ? "✓" : "✗"} ${what.padEnd(44)} ${figures.padEnd(46)} ${ratio.toFixed(2)} (${atLeast ? "≥" : "≤"} ${bar})`,
  );
}

interface Child {
  child: ChildProcess;
  url: string;
}

const execArgv = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"];

async function startLocal(): Promise<Child> {
  const child = fork(join(import.meta.dirname, "child.ts"), [newFolder()], { execArgv });
  const url = await new Promise<string>((resolve) => {
    child.once("message", (message: { url: string }) => resolve(message.url));
  });
  return { child, url };
}

/** Prism as people run it, silent: what it writes would cost it half of its speed. */
async function startPrism(): Promise<Child> {
  const folder = newFolder();
  execFileSync(
    "npm",
    ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, "@stoplight/prism-cli@5.14.2"],
    {
      shell: process.platform === "win32",
    },
  );
  const port = await freePort();
  const document = createRequire(import.meta.url).resolve("@trainyard/training/openapi.json");
  const program = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  const child = fork(program, ["mock", "-p", String(port), "-v", "silent", "--errors=false", document], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const up = await fetch(`${url}/v1/health`).then(
      () => true,
      () => false,
    );
    if (up) return { child, url };
    await sleep(100);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createNetServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Memory in bytes, and seconds of the processor so far. Undefined where the system does not tell. */
function usageOf({ child }: Child): { rss: number; cpu: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, rss: Number(fields[21]) * 4096 };
  } catch {
    return undefined;
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
function post(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: "Bearer bench",
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const outgoing = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (part: string) => (text += part))
        .on("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 500)}`));
        });
    });
    outgoing.on("error", reject).end(body);
  });
}

async function perSecond(
  send: () => Promise<unknown>,
  milliseconds: number,
): Promise<{ done: number; seconds: number }> {
  let done = 0;
  const start = performance.now();
  const work = async () => {
    for (; performance.now() - start < milliseconds; done++) await send();
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return { done, seconds: (performance.now() - start) / 1000 };
}

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** One group of attempts, of six messages each: 2 kB an attempt. */
function logBody(attempts: number): string {
  const messages = Array.from({ length: 6 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: "When does the next train leave Voss? ".repeat(8),
  }));
  const trajectory = { messages_and_choices: messages, reward: 0.5, metrics: { turns: 3, solved: true } };
  const trajectories = Array.from({ length: attempts }, () => trajectory);
  return JSON.stringify({ split: "train", trajectory_groups: [{ trajectories }] });
}

async function benchLog(): Promise<void> {
  const children = { local: await startLocal(), prism: await startPrism() };
  const created = await post(
    `${children.local.url}/v1/preview/models`,
    JSON.stringify({ project: "p", name: "n", base_model: "b" }),
  );
  const path = `/v1/preview/models/${JSON.parse(created).id}/log`;
  for (const attempts of [1, 8, 72]) await benchLogOf(children, path, logBody(attempts));
  const [m = 0, n = 0] = [children.local, children.prism].map((child) => (usageOf(child)?.rss ?? 0) / 2 ** 20);
  row("memory, of Prism's", `${m.toFixed(0)} MiB against ${n.toFixed(0)} MiB`, m / n, 1, false);
  for (const { child } of Object.values(children)) child.kill();
}

async function benchLogOf(children: { local: Child; prism: Child }, path: string, body: string): Promise<void> {
  const rates: Record<keyof typeof children, number[]> = { local: [], prism: [] };
  const cpu: typeof rates = { local: [], prism: [] };
  for (let round = 0; round < 7; round++) {
    for (const name of ["local", "prism"] as const) {
      const before = usageOf(children[name]);
      const { done, seconds } = await perSecond(() => post(children[name].url + path, body), 1500);
      const after = usageOf(children[name]);
      // The first rounds warm both.
      if (round < 2) continue;
      rates[name].push(done / seconds);
      if (before && after) cpu[name].push(((after.cpu - before.cpu) * 1000) / done);
    }
  }
  const size = `${Math.round(body.length / 1000)} kB`;
  const [a, b] = [median(rates.local), median(rates.prism)];
  row(`durable Log of ${size} a second, over Prism`, `${a.toFixed(0)} against ${b.toFixed(0)}`, a / b, 3, true);
  if (cpu.local.length === 0) return;
  // On a machine that is busy elsewhere, time of the processor says more than the clock.
  const [c, d] = [median(cpu.local), median(cpu.prism)];
  row("the same by time of the processor", `${c.toFixed(2)} ms against ${d.toFixed(2)} ms each`, d / c, 3, true);
}

async function benchStatistics(limit: number): Promise<void> {
  const data = newFolder();
  const file = join(data, "trainyard.sqlite");
  const end = Date.UTC(2026, 10, 1);
  const hour = 3_600_000_000;
  for (let rows = 10_000; rows <= limit; rows *= 10) {
    const database = new Database(file);
    migrate(database);
    database.run(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < :last)
       insert into feedback(project, id, created_at, feedback_type, payload)
       select :project, i, :start + i * :step, 'score', jsonb('{"output":{"score":' || ((i * 7919) % 1000) / 1000.0 || '}}') from n`,
      {
        last: rows - 1,
        project: `bench/${rows}`,
        start: (end - 47 * 3_600_000) * 1000,
        step: Math.floor((47 * hour) / rows),
      },
    );
    database.exec("pragma wal_checkpoint(truncate)");
    const body = {
      project_id: `bench/${rows}`,
      start: new Date(end - 47 * 3_600_000).toISOString(),
      end: new Date(end).toISOString(),
      granularity: 3600,
      metrics: [{ json_path: "output.score", percentiles: [95] }],
    };
    const { input } = planStatistics(body, end);
    if (!input) throw new Error("There is nothing to calculate.");
    const byHand = () => {
      const { sql, params } = statisticsSql(input.metrics, input.filters);
      for (const [from, to] of [...input.buckets, input.window]) database.get(sql, { ...params, from, to });
    };
    const server = createServer({ data, keys: [{ key: "bench", entity: "bench" }] });
    const url = await server.listen({ port: 0 });
    const text = JSON.stringify(body);
    const times: { hand: number[]; ours: number[] } = { hand: [], ours: [] };
    for (let round = 0; round < (rows > 1e6 ? 4 : 8); round++) {
      const start = performance.now();
      byHand();
      const between = performance.now();
      await post(`${url}/auxiliary/feedback/stats`, text);
      if (round === 0) continue;
      times.hand.push(between - start);
      times.ours.push(performance.now() - between);
    }
    await server.close();
    database.close();
    const [a, b] = [median(times.ours), median(times.hand)];
    row(
      `statistics over ${rows.toLocaleString("en")} rows, of SQL by hand`,
      `${a.toFixed(1)} ms against ${b.toFixed(1)} ms`,
      a / b,
      1.1,
      false,
    );
  }
}

async function benchPages(): Promise<void> {
  const data = newFolder();
  const database = new Database(join(data, "trainyard.sqlite"));
  migrate(database);
  const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
  const checkpoint = (step: number | string) => `'00000000-0000-4000-8000-' || printf('%012d', ${step})`;
  database.exec(`insert into models values('${id}', 'bench', 'p', 'n', 'b', null, 100000, 0);
    with recursive n(i) as (select 0 union all select i + 1 from n where i < 100000)
    insert into checkpoints(id, model_id, step) select ${checkpoint("i")}, '${id}', i from n`);
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
  row("page 1,000, of page 1", `${a.toFixed(2)} ms against ${b.toFixed(2)} ms`, a / b, 1.2, false);
}

async function benchStart(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const { child, url } = await startLocal();
    await (await fetch(`${url}/v1/health`)).text();
    times.push(performance.now() - start);
    child.kill();
  }
  row("start to first answer, of half a second", `${median(times).toFixed(0)} ms`, median(times) / 500, 1, false);
}

if (values.only === undefined || values.only === "start") await benchStart();
if (values.only === undefined || values.only === "log") await benchLog();
if (values.only === undefined || values.only === "pages") await benchPages();
if (values.only === undefined || values.only === "statistics") await benchStatistics(Number(values.rows));
agent.destroy();
process.exitCode = missed ? 1 : 0;
