import { stat, statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { refuse, type Caller, type Host, type RequestLog } from "@trainyard/host";
import type { UpstreamFailure, UpstreamWatch } from "../chat/upstream.ts";
import type { StoreFacts } from "../store/commands/maintenance.ts";
import type { Keys } from "./keys.ts";

/** Where the metrics are read from. */
export interface MetricsParts {
  readonly keys: Keys;
  readonly facts: () => Promise<StoreFacts>;
  /** The bytes that each entity holds. */
  readonly usage: () => Promise<ReadonlyMap<string, number>>;
  readonly underWay: Host["underWay"];
  /** The folders whose free space is shown, by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** The write-ahead log; absent for data in memory. */
  readonly log: string | undefined;
  /** How many lines of the server's log could not be written. */
  readonly lostLines: () => number;
}

/** Upper bounds of the buckets of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations, counted by the smallest bound that they do not exceed. */
class Histogram {
  readonly #byBound = bounds.map(() => 0);
  #seconds = 0;
  #count = 0;

  add(seconds: number): void {
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) this.#byBound[bucket] = (this.#byBound[bucket] ?? 0) + 1;
    this.#seconds += seconds;
    this.#count++;
  }

  /** @param labels as `service="training"`; may be empty */
  samples(name: string, labels: string): string[] {
    const comma = labels === "" ? "" : ",";
    const of = labels === "" ? "" : `{${labels}}`;
    let below = 0;
    const buckets = bounds.map((bound, at) => {
      below += this.#byBound[at] ?? 0;
      return `trainyard_${name}_bucket{${labels}${comma}le="${bound}"} ${below}`;
    });
    return [
      ...buckets,
      `trainyard_${name}_bucket{${labels}${comma}le="+Inf"} ${this.#count}`,
      `trainyard_${name}_sum${of} ${this.#seconds}`,
      `trainyard_${name}_count${of} ${this.#count}`,
    ];
  }
}

/** How often the event loop is looked at, in milliseconds. */
const lagEvery = 20;

/** The server's own metrics, in the text format of Prometheus. */
export class Metrics implements UpstreamWatch {
  readonly #counts = new Map<string, number>();
  readonly #durations = new Map<string, Histogram>();
  readonly #upstream = new Histogram();
  readonly #failures: Record<UpstreamFailure, number> = { refused: 0, timeout: 0, cut: 0, redirect: 0, status: 0 };
  readonly #lag = monitorEventLoopDelay({ resolution: lagEvery });
  readonly #crashes = new Map<string, number>();
  #dropped = 0;

  /** Counts a thread that ended by an error. */
  countCrash(thread: string): void {
    this.#crashes.set(thread, (this.#crashes.get(thread) ?? 0) + 1);
  }

  /** Counts a request. */
  count({ operation = "", status, milliseconds, caller }: RequestLog): void {
    const labels = labelsOf(operation);
    const counted = `{${labels},status="${status}",entity="${escaped(caller?.owner ?? "")}"}`;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    let durations = this.#durations.get(labels);
    if (durations === undefined) this.#durations.set(labels, (durations = new Histogram()));
    durations.add(milliseconds / 1000);
  }

  answered(seconds: number): void {
    this.#upstream.add(seconds);
  }

  failed(kind: UpstreamFailure): void {
    this.#failures[kind]++;
  }

  /** Counts bytes that are missing in trainer logs. */
  dropped(bytes: number): void {
    this.#dropped += bytes;
  }

  /** Begins to measure the event loop, which costs a timer. Returns a function that ends it. */
  watchLoop(): () => void {
    this.#lag.enable();
    return () => void this.#lag.disable();
  }

  /** All metrics in the text format. Facts that the storage cannot return while it fails are left out. */
  async text({ facts: read, usage, underWay, folders, log, lostLines }: Omit<MetricsParts, "keys">): Promise<string> {
    const facts = await read().catch(() => undefined);
    const held = await usage().catch(() => new Map<string, number>());
    const { requests, streams } = underWay();
    const disks = (await Promise.all(Object.entries(folders).map(diskOf))).flat();
    const logSize = log === undefined ? undefined : ((await stat(log).catch(() => undefined))?.size ?? 0);
    const unusedPart = "Unused part of the data, which is reused or released.";
    const failures = Object.entries(this.#failures).map(([kind, count]) => [`{kind="${kind}"}`, count] as const);
    const restarts = [...this.#crashes].map(([thread, count]) => [`{thread="${thread}"}`, count] as const);
    const bytes = [...held].map(([entity, size]) => [`{entity="${escaped(entity)}"}`, size] as const);
    const byStatus = "Requests by operation, status and entity. The operation is missing if none matched.";
    return [
      ...family("requests_total", "counter", byStatus, [...this.#counts]),
      ...family("request_duration_seconds", "histogram", "Time until the response started.", []),
      ...[...this.#durations].flatMap(([labels, one]) => one.samples("request_duration_seconds", labels)),
      ...family("requests_under_way", "gauge", "Requests in progress, including streams.", [["", requests]]),
      ...family("streams_open", "gauge", "Streams in progress.", [["", streams]]),
      ...(facts === undefined
        ? []
        : [
            ...family("jobs", "gauge", "Training jobs by state and entity.", jobSamples(facts)),
            ...gauge("job_queue_oldest_seconds", "Age of the oldest queued job that may run.", facts.queueSeconds),
            ...gauge("store_bytes", "Size of the data.", facts.bytes),
            ...gauge("store_free_bytes", unusedPart, facts.freeBytes),
          ]),
      ...family("entity_bytes", "gauge", "Logs, jobs, objects, feedback and files of an entity.", bytes),
      ...family(
        "disk_free_bytes",
        "gauge",
        "Space that the server can still use.",
        disks.map(({ free }) => free),
      ),
      ...family(
        "disk_bytes",
        "gauge",
        "Size of the file system.",
        disks.map(({ all }) => all),
      ),
      ...(logSize === undefined ? [] : gauge("wal_bytes", "Size of the write-ahead log.", logSize)),
      ...family("event_loop_lag_seconds", "gauge", "Delay of the event loop since the last reading.", this.#lags()),
      ...family("upstream_duration_seconds", "histogram", "Time until the chat server's answer started.", []),
      ...this.#upstream.samples("upstream_duration_seconds", ""),
      ...family("upstream_failures_total", "counter", "Answers that the chat server did not give.", failures),
      ...family(
        "thread_restarts_total",
        "counter",
        "Threads that ended by an error or hung, and start again.",
        restarts,
      ),
      ...family("trainer_log_dropped_bytes_total", "counter", "Missing bytes of trainer logs.", [["", this.#dropped]]),
      ...family("log_lost_lines_total", "counter", "Lines of the log that could not be written.", [["", lostLines()]]),
      ...processMetrics(),
      "",
    ].join("\n");
  }

  #lags(): Sample[] {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - lagEvery / 1000) || 0;
    const { max } = this.#lag;
    const lags = [0.5, 0.99].map((part) => [part, this.#lag.percentile(part * 100)] as const);
    this.#lag.reset();
    return [...lags, [1, max] as const].map(([part, lag]) => [`{quantile="${part}"}`, seconds(lag)]);
  }
}

/** The labels of an operation, as in `training models.create`. */
function labelsOf(operation: string): string {
  const [service = "", name = ""] = operation.split(" ");
  return `service="${service}",operation="${name}"`;
}

/** A text within the quotes of a label. */
function escaped(text: string): string {
  return text.replaceAll(/[\\"\n]/g, (sign) => (sign === "\n" ? "\\n" : `\\${sign}`));
}

/** Each state has a sample, also if no job is in it. */
function jobSamples({ jobs }: StoreFacts): Sample[] {
  const missing = ["queued", "running", "completed", "failed"].filter((state) =>
    jobs.every((job) => job.state !== state),
  );
  const all = [...jobs, ...missing.map((state) => ({ state, entity: "", count: 0 }))];
  return all.map(({ state, entity, count }) => [`{state="${state}",entity="${escaped(entity)}"}`, count]);
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

const gauge = (name: string, help: string, value: number) => family(name, "gauge", help, [["", value]]);

/** The space of a folder's file system; empty if it cannot be read. */
async function diskOf([folder, path]: [string, string]): Promise<{ free: Sample; all: Sample }[]> {
  const disk = await statfs(path).catch(() => undefined);
  if (disk === undefined) return [];
  const labels = `{folder="${folder}"}`;
  return [{ free: [labels, disk.bavail * disk.bsize], all: [labels, disk.blocks * disk.bsize] }];
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
const noKey = refuse(
  401,
  "Send a key as `Authorization: Bearer <key>`: the control key, which is in control.key of the data folder, or a key of * with the scope read.",
);

/**
 * Serves the metrics at `/_local/metrics`, for the control key and keys of `*`. No document describes them: their form is Prometheus'
 * own, and Prometheus does not read OpenAPI documents.
 */
export function metricsPage(metrics: Metrics, parts: MetricsParts) {
  return async (
    { url, method, headers }: Request,
    onAuthorized: (caller: Caller) => void,
  ): Promise<Response | undefined> => {
    if ((method !== "GET" && method !== "HEAD") || new URL(url).pathname !== path) return undefined;
    const [, key] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    const caller = key === undefined ? undefined : parts.keys.callerOf({ key }, { scope: "read", of: "all entities" });
    const refusal = caller === undefined ? noKey : caller.refusal;
    if (caller !== undefined && refusal?.refusal !== 401) onAuthorized(caller);
    if (refusal !== undefined) {
      const challenge = refusal.refusal === 401 && { "WWW-Authenticate": "Bearer" };
      return new Response(`${refusal.message}\n`, {
        status: refusal.refusal,
        headers: { "Content-Type": "text/plain", ...challenge },
      });
    }
    const text = method === "HEAD" ? null : await metrics.text(parts);
    return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
  };
}
