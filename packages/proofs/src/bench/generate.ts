import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { outcome } from "./program.ts";
import { atMost, type Findings } from "./report.ts";
import { spreadOf } from "./spread.ts";
import { synthetic, unmade } from "./synthetic.ts";

interface Found {
  readonly milliseconds: number;
  readonly services: number;
}

const root = join(import.meta.dirname, "../../../..");

/** The services that have a client. */
const services = readdirSync(join(root, "openapi")).filter((name) =>
  existsSync(join(root, "packages", name, "src/generated")),
);

/** Runs the generator in a temporary repository. Returns the milliseconds of the process, and of the work alone. */
function timed(make: () => string): { readonly whole: number; readonly work: number } {
  const folder = make();
  try {
    const start = performance.now();
    const { milliseconds } = outcome("generate", folder) as Found;
    return { whole: performance.now() - start, work: milliseconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The time to generate clients from nothing, and its growth with the number of operations. */
export function generating(): Findings {
  const cold = spreadOf(Array.from({ length: 3 }, () => timed(() => unmade(services)).whole));
  const sizes = [50, 100, 200] as const;
  const rounds = Array.from({ length: 3 }, () => sizes.map((count) => timed(() => synthetic(count)).work));
  // The fastest run, because other work on the machine only adds time.
  const fastest = (index: number): number => Math.min(...rounds.map((round) => round[index] ?? NaN));
  const growth = fastest(2) / fastest(1);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  return {
    how: "Processes of their own, in a copy without anything generated; median of three. The growth is that of the fastest of three, and is measured on synthetic documents, in which each operation has a request and an answer of its own.",
    rows: [
      {
        what: `all ${services.length} services, cold`,
        measured: `${seconds(cold.median)} (${seconds(cold.low)} to ${seconds(cold.high)})`,
        ...atMost(cold.median, 5000, "5 s"),
      },
      ...sizes.map((count, index) => ({
        what: `a document of ${count} operations`,
        measured: seconds(fastest(index)),
      })),
      {
        what: "growth from 100 to 200 operations",
        measured: `× ${growth.toFixed(2)}`,
        ...atMost(growth, 2.4, "× 2.4 (linear: 2)"),
      },
    ],
  };
}
