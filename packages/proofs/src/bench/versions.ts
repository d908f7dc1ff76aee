import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";

function versionOf(name: string): string {
  const file = join(import.meta.dirname, "../node_modules", name, "package.json");
  const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"));
  return `${name} ${version}`;
}

/** What was measured, on which machine, and when. */
export function circumstances(): string {
  const packages = ["@trainyard/training", "openai", "ky", "openapi-fetch", "typescript", "esbuild"].map(versionOf);
  const processor = cpus()[0]?.model.trim() ?? "an unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  const load = loadavg()[0] ?? 0;
  // Ratios are less sensitive to other work on the machine than times, but readers of either should know about it.
  const busy = load > 1 ? ` The machine was busy: its load was ${load.toFixed(1)} at the start.` : "";
  return `${date}. Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${processor}. ${packages.join(", ")}.${busy}`;
}
