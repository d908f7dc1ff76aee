import { started } from "@trainyard/release/run";
import { commandOf, outcome } from "./program.ts";
import type { Rounds } from "./programs/alternate.ts";
import { atMost, type Findings } from "./report.ts";
import { ratios, spreadOf } from "./spread.ts";

const base = "openapi-fetch";

/** The CPU time of one call, sequential, over loopback, with the service in another process. */
export async function calls(): Promise<Findings> {
  const { child, match } = await started(
    process.execPath,
    commandOf("service"),
    { cwd: import.meta.dirname },
    /http:\/\/127\.0\.0\.1:\d+/,
  );
  try {
    const rounds = outcome("calls", match[0]) as Rounds;
    return {
      how: "One chat completion after the other over loopback, ten rounds in which the clients take turns. User and system time of the whole process of the client; the service runs in another.",
      against: base,
      rows: Object.entries(rounds).map(([what, values]) => {
        const ratio = ratios(values, rounds[base] ?? []);
        return {
          what,
          measured: `${spreadOf(values).median.toFixed(0)} µs`,
          ratio,
          ...(what.startsWith("@trainyard") && atMost(ratio.median, 1.15, "× 1.15")),
        };
      }),
    };
  } finally {
    child.kill();
  }
}
