import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";

function versionOf(name: string): string {
  const file = join(import.meta.dirname, "../node_modules", name, "package.json");
  const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"));
  return `${name} ${version}`;
}

/** What was measured, on what, and when. */
export function circumstances(): string {
  const packages = ["@trainyard/training", "openai", "ky", "openapi-fetch", "typescript", "esbuild"].map(versionOf);
  const processor = cpus()[0]?.model.trim() ?? "an unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  const load = loadavg()[0] ?? 0;
  // Ratios bear other work on the machine better than times do; who reads either should know of it.
  const busy = load > 1 ? ` Other work was on the machine: a load of ${load.toFixed(1)} at the start.` : "";
  return `${date}. Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${processor}. ${packages.join(", ")}.${busy}`;
}
