/**
 * `pnpm bench console`: what the console costs and how fast it is, against its bars, with two runs of 10⁵ generated rollouts.
 * It fails if a bar is not met.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { buildConsole } from "@trainyard/console/build";
import { textTable } from "@trainyard/terminal/table";
import { launch, program, type Page } from "@trainyard/testing/browser";
import { createServer, type LocalServer } from "../../src/index.ts";
import { deriveRows } from "../../src/store/commands/derive.ts";
import { bodyOf } from "../../src/store/commands/logs.ts";
import { NodeDatabase } from "../../src/store/node-database.ts";
import { bytes, text } from "../../src/store/row.ts";
import { openPage } from "../console/browser.ts";
import { forgetRows, makeRollouts, realGroups } from "../console/rollouts.ts";
import { load } from "./connection.ts";
import { newFolder, startLocal, usageOf } from "./processes.ts";
import { median } from "./report.ts";

const pages = join(import.meta.dirname, "../../dist/pages");
const rows: [mark: string, what: string, value: string, bar: string][] = [];
const add = (what: string, value: number, unit: string, bar: number, isMost = true) => {
  const isMet = isMost ? value <= bar : value >= bar;
  if (!isMet) process.exitCode = 1;
  rows.push([
    isMet ? "✓" : "✗",
    what,
    `${value.toFixed(unit === "" ? 2 : 1)} ${unit}`,
    `${isMost ? "≤" : "≥"} ${bar} ${unit}`,
  ]);
};

await buildConsole(pages);
const packed = (file: string) => gzipSync(readFileSync(join(pages, file)), { level: 9 }).length / 1000;
const scripts = readdirSync(pages).filter((file) => /^(console|chunk-.*)\.js$/.test(file));
add(
  "scripts of the first page, compressed",
  scripts.reduce((sum, file) => sum + packed(file), 0),
  "kB",
  32,
);
add("style sheet, compressed", packed("style.css"), "kB", 8);

/** The tab that shows the number of rollouts. */
const rolloutsTab = 'a[href$="/rollouts"]';
const logBody = JSON.stringify({
  split: "train",
  trajectory_groups: [
    {
      trajectories: Array.from({ length: 8 }, (_, at) => ({
        reward: at / 8,
        messages_and_choices: [{ role: "user", content: "x".repeat(2000) }],
      })),
    },
  ],
});
const data = newFolder();
const size = { steps: Number(process.env["STEPS"] ?? 1000), groups: realGroups, whole: true };
const madeRun = makeRollouts(data, size);
const otherRun = makeRollouts(data, { ...size, seed: 8, name: "agent-2" });
forgetRows(data);
const source = new NodeDatabase(join(data, "trainyard.sqlite"));
const atFirst = performance.now();
for (const { seq } of source.all("select seq from logs")) {
  const row = source.get("select body from logs where seq = :seq", { seq: Number(seq) });
  if (row) JSON.parse(bodyOf(bytes(row, "body")));
}
for (const { seq } of source.all("select seq from jobs")) {
  const row = source.get("select request from jobs where seq = :seq", { seq: Number(seq) });
  if (row) JSON.parse(text(row, "request"));
}
const limit = performance.now() - atFirst;
const atRows = performance.now();
for (let left = 1; left > 0;)
  ({ left } = source.transaction(() => deriveRows({ database: source, now: 0 }, { budget: 20 })));
add(
  "rows of 2 × 10⁵ rollouts that an earlier version stored, against a loop that parses the same bodies and keeps nothing",
  (performance.now() - atRows) / limit,
  "",
  3,
);
source.close();
await measureLists();

if (program === undefined) console.log("skipped: paint and frames, since there is no Chromium (CHROMIUM names one)");
else {
  const server = createServer({ data, console: true, keys: [{ key: "bench", entity: "harbor" }] });
  await server.listen({ port: 0 });
  await measurePages(server);
  await server.close();
}
await measureLogs();

for (const line of textTable(rows)) console.log(line);
console.log(
  `\nMeasured at a load of ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors. Where other programs run too, only processor times say something, and they grow as well.`,
);

/** The processor time of all threads of this process, in milliseconds. */
function processorTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Pages of lists of 10⁵ attempts, in the order and with the filters that take longest, each the median of nine. */
async function measureLists(): Promise<void> {
  const server = createServer({ data, keys: [{ key: "bench", entity: "harbor" }] });
  const { baseUrl, apiKey, fetch } = server.connect("local");
  const queries = {
    "rollouts, newest first": "rollouts?limit=50",
    "rollouts by reward": "rollouts?limit=50&sort=reward",
    "rollouts by tokens, the last ones": "rollouts?limit=50&sort=-tokens&offset=95000",
    "rollouts with a filter": "rollouts?limit=50&sort=-reward&tokens=100..&flag=trained",
    "rollouts with metadata": "rollouts?limit=50&metadata.worker=rollout-7",
    "rollouts with a metric": "rollouts?limit=50&metric.polite=0.5..",
    "groups, flagged first": "groups?limit=50&sort=flagged",
    jobs: "jobs?limit=20",
  };
  for (const [what, query] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < 10; round++) {
      const start = performance.now();
      const response = await fetch(new URL(query, `${baseUrl}/runs/${madeRun}/`), {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      await response.text();
      if (!response.ok) throw new Error(`${query} was answered with ${response.status}.`);
      if (round > 0) times.push(performance.now() - start);
    }
    // A filter that no index has reads the facts of all 10⁵ attempts: 68 to 99 ms on 2026-11-27.
    add(`a page: ${what}`, median(times), "ms", /flag=|metadata|metric/.test(query) ? 120 : 50);
  }
  // The second one is in no attempt, and no cheap test of the bodies excludes it: each is read to its end.
  for (const word of ["K-20931", "mail-order"]) {
    const start = performance.now();
    const response = await fetch(`${baseUrl}/runs/${madeRun}/rollouts/search?text=${word}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    let [text, first] = ["", 0];
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (first === 0 && text.includes('"rollout"')) first = performance.now() - start;
    }
    if (first > 0) add("a search over the texts of 10⁵ attempts: the first hits", first, "ms", 300);
    else add("  one without a hit, to its end", (performance.now() - start) / 1000, "s", 15);
  }
  await server.close();
}

async function measurePages(local: LocalServer): Promise<void> {
  const browser = await launch();
  const { page, home } = await openPage(browser, local.consoleUrl() ?? "");
  const overview = `${home}/console/runs/${madeRun}`;
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  /** The working time of the page's main thread, in milliseconds. */
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "ThreadTime")?.value ?? 0);
  };
  const [paints, charts, works]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 5; round++) {
    const atStart = process.cpuUsage();
    await page.goto(overview);
    await page.waitForSelector(".plot svg .line");
    // The page's clock starts with the page.
    works.push(processorTime(atStart) + (await worked()));
    charts.push(await page.evaluate(() => performance.now()));
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0));
  }
  const compared: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.goto(`${home}/console/compare?runs=${madeRun},${otherRun}`);
    await page.waitForSelector(".plot svg .line1 .line");
    await page.waitForSelector(".worst a, [aria-label^='Tasks by change'] a");
    compared.push(await page.evaluate(() => performance.now()));
  }
  add("Compare of two runs, until it shows curves and tasks", median(compared), "ms", 800);
  add("first paint", median(paints), "ms", 300);
  add("first chart", median(charts), "ms", 600);
  add("  of it, processor time of the server and of the page's main thread", median(works), "ms", 600);
  await page.goto(overview);
  add(
    "from a log to the page that shows it, the longest of 50",
    Math.max(...(await updatesOf(page, home))),
    "ms",
    1000,
  );
  const busy = [1, 2].map(() => spawn(process.execPath, ["--eval", "for (;;);"]));
  add("  beside two busy processes", Math.max(...(await updatesOf(page, home))), "ms", 3000);
  for (const child of busy) child.kill("SIGKILL");
  await page.goto(`${overview}/rollouts`);
  await page.waitForSelector(".rows .row a");
  const before = await worked();
  const { frames, nodes } = await page.evaluate(async () => {
    const list = document.querySelector(".list");
    const times: number[] = [];
    let most = 0;
    let last: number | undefined;
    for (let frame = 0; frame < 300; frame++) {
      if (list) list.scrollTop += 90;
      // The browser's time of the frame. A clock that is read here would add the delay of this callback, up to 3 ms even on
      // an empty page. If the work of a frame takes too long, the next frame is 33 ms later.
      const now = await new Promise(requestAnimationFrame);
      if (last !== undefined) times.push(now - last);
      last = now;
      most = Math.max(most, document.querySelectorAll(".rows .row").length);
    }
    return { frames: times.toSorted((a, b) => a - b), nodes: most };
  });
  add("frames while 10⁵ rows scroll, p95", frames[Math.floor(frames.length * 0.95)] ?? 0, "ms", 17);
  add("  of a frame, processor time of the page's main thread", ((await worked()) - before) / 300, "ms", 17);
  add("rows in the page", nodes, "rows", 60);
  await browser.close();
}

/** Logs 50 times, each when the page shows the one before, and returns the milliseconds until it is shown. */
async function updatesOf(page: Page, home: string): Promise<number[]> {
  const updates: number[] = [];
  for (let round = 0; round < 50; round++) {
    const count = await page.textContent(rolloutsTab);
    const atLog = performance.now();
    const response = await fetch(`${home}/v1/preview/models/${madeRun}/log`, {
      method: "POST",
      body: logBody,
      headers: { Authorization: "Bearer bench", "Content-Type": "application/json" },
    });
    if (!response.ok) throw new Error(await response.text());
    await page.waitForFunction(([tab, text]) => document.querySelector(tab)?.textContent !== text, [
      rolloutsTab,
      count,
    ] as const);
    updates.push(performance.now() - atLog);
  }
  return updates;
}

/**
 * What an open page costs while logs arrive: a client reads everything that the page reads. The server has a process of its
 * own. This process sends the logs and the page's requests, and so competes with it: the bar is on the server's processor time
 * that its logs do not explain, as a share of one processor.
 */
async function measureLogs(): Promise<void> {
  const [pairs, roundMs] = [5, 2000];
  const running = await startLocal(data, "--console");
  const { child, url, control } = running;
  const headers = { Authorization: `Bearer ${control}` };
  const read = async (path: string, signal?: AbortSignal) =>
    (await fetch(`${url}/_local${path}`, { headers, ...(signal && { signal }) })).text();
  const watch = async (signal: AbortSignal) => {
    for (let seq = 0; !signal.aborted;) {
      // The same requests as the page's, and the same rest after them.
      ({ seq } = JSON.parse(await read(`/changes?after=${seq}&wait_ms=20000`, signal)) as { seq: number });
      const start = performance.now();
      await Promise.all(["", "/curve", "/marks"].map((part) => read(`/runs/${madeRun}${part}`)));
      await sleep(Math.min(700, 9 * (performance.now() - start)), undefined, { signal });
    }
  };
  const round = async (isOpen: boolean) => {
    const before = usageOf(running)?.processor ?? 0;
    const ended = new AbortController();
    const watching = isOpen ? watch(ended.signal) : undefined;
    const { done, seconds } = await load(`${url}/v1/preview/models/${madeRun}/log`, logBody, roundMs, 8);
    const worked = (usageOf(running)?.processor ?? 0) - before;
    ended.abort();
    await watching?.catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
    return { rate: done / seconds, ofLog: worked / done, share: worked / seconds / 1000 };
  };
  // V8 compiles what reads and what logs for some seconds, which a server that stays up pays once.
  for (const isOpen of [false, true, true, true]) await round(isOpen);
  const [ratios, shares]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const first = pair % 2 === 0;
    const [a, b] = [await round(first), await round(!first)];
    const [open, closed] = first ? [a, b] : [b, a];
    ratios.push(open.rate / closed.rate);
    shares.push(100 * (open.share - (open.rate * closed.ofLog) / 1000));
  }
  add("processor time of an open page in the server, of one processor", median(shares), "%", 25);
  // Two processors carry the server, this client, and the page's requests: × 0.94 on 2026-11-27.
  add("  logs a second, with the console open against without", median(ratios), "", 0.9, false);
  child.kill();
}
