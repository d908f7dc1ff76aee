import { outcome } from "./program.ts";
import type { Rounds } from "./programs/alternate.ts";
import { atLeast, atMost, type Row, type Findings } from "./report.ts";
import { ratios, spreadOf } from "./spread.ts";

interface Found {
  /** Pieces of 16 kB; pieces of one event; single bytes, by client and number of events. */
  readonly reads: Rounds;
  readonly events: Rounds;
  readonly singles: Rounds;
}

const own = "@trainyard/inference";

/** The speed of parsing a stream, and whether its time is linear in its bytes. */
export function streams(): Findings {
  const { reads, events, singles } = outcome("streams") as Found;
  return {
    how: "The same 1,000 chunks of a chat completion (190 kB) by each client, without a network. How often it is faster than `openai` stands beside it. Single bytes: four times the bytes, in how many times the CPU.",
    against: "openai (times faster)",
    rows: [...faster(reads, "16 kB a read"), ...faster(events, "one event a read"), ...growth(singles)],
  };
}

function faster(rounds: Rounds, reads: string): Row[] {
  return Object.entries(rounds).map(([what, values]) => {
    const ratio = ratios(rounds["openai"] ?? [], values);
    return {
      what: `${what}, ${reads}`,
      measured: `${(spreadOf(values).median / 1000).toFixed(2)} ms`,
      ratio,
      ...(what === own && atLeast(ratio.median, 2, "× 2")),
    };
  });
}

function growth(rounds: Rounds): Row[] {
  return ["openai", own].map((client) => {
    const few = rounds[`${client} 100`] ?? [];
    const many = rounds[`${client} 400`] ?? [];
    const grown = ratios(many, few).median;
    return {
      what: `${client}, one byte a read, growth from 19 kB to 78 kB`,
      measured: `× ${grown.toFixed(2)} (${(spreadOf(many).median / 1000).toFixed(0)} ms)`,
      ratio: ratios(rounds["openai 400"] ?? [], many),
      // Four is linear; a quadratic parser reaches 16.
      ...(client === own && atMost(grown, 4.8, "× 4.8 (linear: 4)")),
    };
  });
}
