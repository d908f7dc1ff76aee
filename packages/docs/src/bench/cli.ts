/**
 * `pnpm bench site`: measures how long a cold build takes, how many bytes a page loads, and when its text is visible.
 * Prints the results beside their limits, and fails if one is exceeded.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { textTable } from "@trainyard/host/table";
import { launch, program } from "@trainyard/testing/browser";
import { cache, dist, root } from "../places.ts";
import { serveSite } from "../serve/server.ts";

interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly budget?: number;
}

const rows: Row[] = [];

function buildCold(): void {
  for (const folder of [cache, dist, join(root, "node_modules/.astro")])
    rmSync(folder, { recursive: true, force: true });
  const start = performance.now();
  const build = join(import.meta.dirname, "../build/index.ts");
  execFileSync(process.execPath, ["--conditions=@trainyard/source", build], { stdio: "pipe" });
  rows.push({ what: "built, cold", value: (performance.now() - start) / 1000, unit: "s", budget: 30 });
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
    rows.push({
      what: `${path} loads, gzip`,
      value: wire(loads[0]?.addresses ?? new Set(), home),
      unit: "kB",
      budget: 100,
    });
    rows.push({
      what: `${path} text is visible after`,
      value: (paints[1] ?? Number.NaN) / 1000,
      unit: "s",
      budget: 0.5,
    });
  }
  await browser.close();
  await stop();
}

buildCold();
const pages = globSync("reference/**/index.html", { cwd: dist }).map(
  (file) => gzipSync(readFileSync(join(dist, file))).length / 1000,
);
rows.push({ what: "largest page of the reference, gzip", value: Math.max(...pages), unit: "kB", budget: 30 });
if (program === undefined)
  console.log("Chromium was not found, so only the build was measured. Set CHROMIUM to the path of the browser.");
else await visit();

const table = rows.map(({ what, value, unit, budget }) => {
  const over = budget !== undefined && !(value <= budget);
  if (over) process.exitCode = 1;
  const measured = `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`;
  return [over ? "✗" : "✓", what, measured, budget === undefined ? "" : `≤ ${budget} ${unit}`];
});
for (const line of textTable(table)) console.log(line);
