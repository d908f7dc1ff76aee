import type { Host, RequestLog } from "@trainyard/host";
import type { StoreFacts } from "../store/commands/maintenance.ts";
import { Keys } from "./keys.ts";

/** Where the metrics are read from. */
interface MetricsParts {
  readonly controlKey: string;
  readonly facts: () => Promise<StoreFacts>;
  readonly underWay: Host["underWay"];
}

/** Upper bounds of the buckets of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The measurements of one operation. */
interface Measured {
  readonly byStatus: Map<number, number>;
  /** Per bucket: how many requests took at most its bound, and more than the bound before. */
  readonly byBound: number[];
  seconds: number;
  count: number;
}

/** The server's own metrics, in the text format of Prometheus. */
export class Metrics {
  readonly #operations = new Map<string, Measured>();
  readonly #crashes = new Map<string, number>();

  /** Counts a thread that ended by an error. */
  countCrash(thread: string): void {
    this.#crashes.set(thread, (this.#crashes.get(thread) ?? 0) + 1);
  }

  /** Counts a request. */
  count({ operation = "", status, milliseconds }: RequestLog): void {
    let measured = this.#operations.get(operation);
    if (measured === undefined) {
      measured = { byStatus: new Map(), byBound: bounds.map(() => 0), seconds: 0, count: 0 };
      this.#operations.set(operation, measured);
    }
    const seconds = milliseconds / 1000;
    measured.byStatus.set(status, (measured.byStatus.get(status) ?? 0) + 1);
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) measured.byBound[bucket] = (measured.byBound[bucket] ?? 0) + 1;
    measured.seconds += seconds;
    measured.count++;
  }

  /** All metrics in the text format. Facts that the storage cannot return while it fails are left out. */
  async text({ facts: read, underWay }: Omit<MetricsParts, "controlKey">): Promise<string> {
    const facts = await read().catch(() => undefined);
    const { requests, streams } = underWay();
    const jobs = Object.entries(facts?.jobs ?? {}).map(([state, count]) => [`{state="${state}"}`, count] as const);
    const unusedPart = "Unused part of the data, which is reused or released.";
    const crashes = [...this.#crashes].map(([thread, count]) => [`{thread="${thread}"}`, count] as const);
    return [
      ...this.#requests(),
      ...family("thread_restarts_total", "counter", "Threads that ended by an error and start again.", crashes),
      ...family("requests_under_way", "gauge", "Requests in progress, including streams.", [["", requests]]),
      ...family("streams_open", "gauge", "Streams in progress.", [["", streams]]),
      ...(facts === undefined
        ? []
        : [
            ...family("jobs", "gauge", "Training jobs by state.", jobs),
            ...family("store_bytes", "gauge", "Size of the data.", [["", facts.bytes]]),
            ...family("store_free_bytes", "gauge", unusedPart, [["", facts.freeBytes]]),
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
      for (const [bucket, bound] of bounds.entries()) {
        below += byBound[bucket] ?? 0;
        durations.push(`trainyard_request_duration_seconds_bucket{${labels},le="${bound}"} ${below}`);
      }
      durations.push(`trainyard_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`);
      durations.push(`trainyard_request_duration_seconds_sum{${labels}} ${seconds}`);
      durations.push(`trainyard_request_duration_seconds_count{${labels}} ${count}`);
    }
    const byStatus = "Requests by operation and status. The operation is missing if none matched.";
    return [
      ...family("requests_total", "counter", byStatus, counts),
      ...family("request_duration_seconds", "histogram", "Time until the response started.", []),
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

/** Metrics of the process, with the names that Prometheus' own libraries use. */
function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const start = Date.now() / 1000 - process.uptime();
  const one = (name: string, type: string, help: string, value: number) =>
    family(name, type, help, [["", value]], "process_");
  return [
    ...one("resident_memory_bytes", "gauge", "Resident memory of the process.", process.memoryUsage.rss()),
    ...one("cpu_seconds_total", "counter", "Processor time of the process.", (user + system) / 1e6),
    ...one("start_time_seconds", "gauge", "When the process started, since 1970.", Math.round(start * 1000) / 1000),
  ];
}

const path = "/_local/metrics";

/**
 * Serves the metrics at `/_local/metrics`, for the control key. No document describes them: their form is Prometheus'
 * own, and Prometheus does not read OpenAPI documents.
 */
export function metricsPage(metrics: Metrics, parts: MetricsParts) {
  const keys = new Keys([{ key: parts.controlKey, entity: "control" }]);
  return async ({ url, method, headers }: Request): Promise<Response | undefined> => {
    if ((method !== "GET" && method !== "HEAD") || new URL(url).pathname !== path) return undefined;
    const [, key] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (key === undefined || keys.entityOf({ key }) === undefined) {
      const message =
        "Send the control key as `Authorization: Bearer <key>`; it is in server.json of the data folder.\n";
      return new Response(message, {
        status: 401,
        headers: { "WWW-Authenticate": "Bearer", "Content-Type": "text/plain" },
      });
    }
    const text = method === "HEAD" ? null : await metrics.text(parts);
    return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
  };
}
