/**
 * `pnpm bench site`: measures how long a cold build takes, how many bytes a page loads, and when its text is visible.
 * Prints the results beside their limits, and fails if one is exceeded.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { textTable } from "@trainyard/terminal/table";
import { launch, program } from "@trainyard/testing/browser";
import { cache, dist, root } from "../places.ts";
import { serveSite } from "../serve/server.ts";

const table: string[][] = [];
function add(what: string, value: number, unit: "s" | "kB", budget: number): void {
  const over = !(value <= budget);
  if (over) process.exitCode = 1;
  table.push([over ? "✗" : "✓", what, `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`, `≤ ${budget} ${unit}`]);
}

function buildCold(): void {
  for (const folder of [cache, dist, join(root, "node_modules/.astro")])
    rmSync(folder, { recursive: true, force: true });
  const start = performance.now();
  const build = join(import.meta.dirname, "../build/index.ts");
  execFileSync(process.execPath, ["--conditions=@trainyard/source", build], { stdio: "pipe" });
  add("built, cold", (performance.now() - start) / 1000, "s", 30);
}

/** Bytes of the files at these addresses, as a server with compression sends them. */
function wire(addresses: ReadonlySet<string>, home: string): number {
  let sum = 0;
  for (const address of addresses) {
    const path = decodeURI(new URL(address).pathname);
    const file = join(dist, path.endsWith("/") ? `${path}index.html` : path);
    if (address.startsWith(home) && statSync(file, { throwIfNoEntry: false })?.isFile())
      sum += gzipSync(readFileSync(file)).length;
  }
  return sum / 1000;
}

async function visit(): Promise<void> {
  const { home, stop } = await serveSite(0);
  const browser = await launch();
  const load = async (path: string): Promise<{ addresses: Set<string>; paint: number }> => {
    const page = await (await browser.newContext()).newPage();
    const addresses = new Set<string>();
    page.on("request", (request) => addresses.add(request.url()));
    await page.goto(home + path.slice(1), { waitUntil: "networkidle" });
    const paint = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    );
    await page.context().close();
    return { addresses, paint };
  };
  await load("/");
  for (const path of ["/guides/chat/", "/guides/errors/", "/reference/training/trainingJobs.createRl/"]) {
    const loads = [await load(path), await load(path), await load(path)];
    const paints = loads.map(({ paint }) => paint).toSorted((a, b) => a - b);
    add(`${path} loads, gzip`, wire(loads[0]?.addresses ?? new Set(), home), "kB", 100);
    add(`${path} text is visible after`, (paints[1] ?? Number.NaN) / 1000, "s", 0.5);
  }
  await browser.close();
  await stop();
}

buildCold();
const pages = globSync("reference/**/index.html", { cwd: dist }).map(
  (file) => gzipSync(readFileSync(join(dist, file))).length / 1000,
);
add("largest page of the reference, gzip", Math.max(...pages), "kB", 30);
if (program === undefined)
  console.log("Chromium was not found, so only the build was measured. Set CHROMIUM to the path of the browser.");
else await visit();

for (const line of textTable(table)) console.log(line);
