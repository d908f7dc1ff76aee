import type { Host, RequestLog } from "@trainyard/host";
import type { StoreFacts } from "../store/commands/maintenance.ts";

/** What the metrics are read from. */
export interface MetricsParts {
  readonly facts: () => Promise<StoreFacts>;
  readonly underWay: Host["underWay"];
}

/** Upper bounds of the durations that are told apart, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What was measured of one operation. */
interface Measured {
  readonly byStatus: Map<number, number>;
  /** How many took at most the bound of the same place, and more than the one before. */
  readonly byBound: number[];
  seconds: number;
  count: number;
}

/** What the server counts of itself, in the text form of Prometheus. */
export class Metrics {
  readonly #operations = new Map<string, Measured>();

  /** Counts a request. */
  count({ operation = "", status, milliseconds }: RequestLog): void {
    let measured = this.#operations.get(operation);
    if (measured === undefined) {
      measured = { byStatus: new Map(), byBound: bounds.map(() => 0), seconds: 0, count: 0 };
      this.#operations.set(operation, measured);
    }
    const seconds = milliseconds / 1000;
    measured.byStatus.set(status, (measured.byStatus.get(status) ?? 0) + 1);
    const place = bounds.findIndex((bound) => seconds <= bound);
    if (place >= 0) measured.byBound[place] = (measured.byBound[place] ?? 0) + 1;
    measured.seconds += seconds;
    measured.count++;
  }

  /** All metrics, as Prometheus reads them. What the storage does not tell while it fails is left out. */
  async text({ facts: read, underWay }: MetricsParts): Promise<string> {
    const facts = await read().catch(() => undefined);
    const { requests, streams } = underWay();
    return [
      ...this.#requests(),
      ...family("requests_under_way", "gauge", "Requests under way, streams included.", [["", requests]]),
      ...family("streams_open", "gauge", "Streams that are being sent.", [["", streams]]),
      ...(facts === undefined
        ? []
        : [
            ...family(
              "jobs",
              "gauge",
              "Training jobs by state.",
              Object.entries(facts.jobs).map(([state, jobs]) => [`{state="${state}"}`, jobs] as const),
            ),
            ...family("store_bytes", "gauge", "Size of the data.", [["", facts.bytes]]),
            ...family("store_free_bytes", "gauge", "Of it, what is free and will be used again or given back.", [
              ["", facts.freeBytes],
            ]),
          ]),
      ...processMetrics(),
      "",
    ].join("\n");
  }

  #requests(): string[] {
    const counts: Sample[] = [];
    const durations: string[] = [];
    for (const [operation, { byStatus, byBound, seconds, count }] of this.#operations) {
      const [service = "", name = ""] = operation.split(" ");
      const labels = `service="${service}",operation="${name}"`;
      for (const [status, requests] of byStatus) counts.push([`{${labels},status="${status}"}`, requests]);
      let below = 0;
      for (const [place, bound] of bounds.entries()) {
        below += byBound[place] ?? 0;
        durations.push(`trainyard_request_duration_seconds_bucket{${labels},le="${bound}"} ${below}`);
      }
      durations.push(`trainyard_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`);
      durations.push(`trainyard_request_duration_seconds_sum{${labels}} ${seconds}`);
      durations.push(`trainyard_request_duration_seconds_count{${labels}} ${count}`);
    }
    return [
      ...family(
        "requests_total",
        "counter",
        "Requests by operation and status; without an operation, none matched.",
        counts,
      ),
      ...family("request_duration_seconds", "histogram", "Time until the response began.", []),
      ...durations,
    ];
  }
}

type Sample = readonly [labels: string, value: number];

function family(name: string, type: string, help: string, samples: readonly Sample[], prefix = "trainyard_"): string[] {
  const full = `${prefix}${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...samples.map(([labels, value]) => `${full}${labels} ${value}`),
  ];
}

/** By the names that Prometheus' own libraries give them. */
function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const start = Date.now() / 1000 - process.uptime();
  const one = (name: string, type: string, help: string, value: number) =>
    family(name, type, help, [["", value]], "process_");
  return [
    ...one("resident_memory_bytes", "gauge", "Memory of the process.", process.memoryUsage.rss()),
    ...one("cpu_seconds_total", "counter", "Time of the processor.", (user + system) / 1e6),
    ...one("start_time_seconds", "gauge", "When the process started, since 1970.", Math.round(start * 1000) / 1000),
  ];
}
