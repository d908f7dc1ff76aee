import type { UpstreamOptions } from "./chat/upstream.ts";
import type { LimitOptions, RequestLog as HostLog } from "@trainyard/host";
import type { KeyOptions } from "./http/keys.ts";
import type { TrainerLogLine } from "./jobs/trainer-log.ts";
import type { TrainerOptions } from "./jobs/trainer.ts";

/** An option of a server is invalid. The message says what it must be. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}

/** An entry of the request log. It contains no body, no key and no query. */
export interface RequestLog extends HostLog {
  /** `<team>/<project>`, if the request names a project. */
  readonly project?: string;
}

/** What changed a server, with who did it (`key_id`, or `command`) and how much. */
export interface ServerEvent {
  readonly event:
    | "key.added"
    | "key.removed"
    | "key.expired"
    | "keys.refused"
    | "state.reset"
    | "import.finished"
    | "logs.pruned"
    | "data.restored"
    | "storage.failed"
    | "storage.recovered"
    | "thread.restarted";
  readonly [fact: string]: unknown;
}

/** Receives a sentence for the people who run a server, and the facts if it reports an event. */
export type Notice = (sentence: string, event?: ServerEvent) => void;

/** The options of a local server. */
export interface ServerOptions {
  /**
   * Where state is stored: `memory`, which ends with the server, or a folder, which is created if it does not exist.
   * `memory` by default.
   */
  readonly data?: string;
  /**
   * The keys with their entities, or a file of them. By default, one key is created at the first start and stored in
   * `keys.json` of the data folder. Changes to the file take effect while the server runs.
   */
  readonly keys?: readonly KeyOptions[] | string;
  /**
   * The addresses of proxies (`127.0.0.1`, `10.0.0.0/8`) whose `X-Forwarded-For` names the client for the log; none by
   * default. What others send in this header changes nothing.
   */
  readonly trustedProxies?: readonly string[];
  /** The key of the control interface. By default, it is in `control.key` of the data folder; in memory, it is a new one. */
  readonly controlKey?: string;
  /** What completes chat: the tiny model by default, or a server with the chat completions API. */
  readonly backend?: "tiny" | UpstreamOptions;
  /**
   * The training program. By default, it is the tiny model's own if the tiny model completes chat; otherwise there is
   * none. With `none`, every training job fails with an error that says so.
   */
  readonly trainer?: (Omit<TrainerOptions, "command"> & Partial<Pick<TrainerOptions, "command">>) | "none";
  /**
   * Where trainers store the files of checkpoints, so that a chat server can read them: a folder for this server alone.
   * By default it is within the data folder, or temporary if state is in memory. Files of a model or a step are deleted
   * with it.
   */
  readonly checkpoints?: string;
  /** The hosts that training data may be downloaded from, as `example.org` or `example.org:8443`; none by default. */
  readonly dataHosts?: readonly string[];
  /**
   * Bundled documents of other services, by name. Each service returns its own examples, under the path of its first
   * server.
   */
  readonly documents?: Readonly<Record<string, object>>;
  /**
   * The largest requests. A body may have 32 MiB, and that of Log and Create Rl Training Job 128 MiB; `bodyBytes` sets
   * all of them, and `bodyBytesOf` those of single operations. A chat may have 50,000 JSON values (`bodyValuesOf`).
   */
  readonly limits?: LimitOptions;
  /** How long requests under way have, in milliseconds, once the server is closed; 20,000 by default. Then they are cut. */
  readonly stopMs?: number;
  /** Validates each response against its document, and records the violations for `violations()`; false by default. */
  readonly checkAnswers?: boolean;
  /**
   * Serves the console at `/console`: pages that show the runs to browsers that have opened `consoleUrl`; false by
   * default.
   */
  readonly console?: boolean;
  /**
   * Additional host names by which browsers reach the port, such as that of a proxy in front of it. By default:
   * localhost, this machine's name, the `host` of `listen`, and numeric addresses. Requests with a key may use any host
   * name.
   */
  readonly hosts?: readonly string[];
  /** The folder of a site to serve at `/docs`. While it does not exist, a page says that the site is not built yet. */
  readonly site?: string;
  /** Called for each request. The entry contains no body, no key and no query. */
  readonly log?: (entry: RequestLog) => void;
  /**
   * Called for each line that a trainer writes to its standard error. Each attempt also stores its lines in
   * `trainer.log`.
   */
  readonly trainerLog?: (line: TrainerLogLine) => void;
  /**
   * The largest size of a `trainer.log`; 64 MiB by default. Of more, the beginning and the end are kept, with a line
   * between them that says how much is missing.
   */
  readonly trainerLogBytes?: number;
  /** Called once for each operation that returns an example because it has no handler; standard error by default. */
  readonly unhandled?: (operation: string) => void;
  /**
   * Called with notices for the people who run the server, such as that its storage fails or works again, and with what
   * happened if it concerns the whole server; standard error by default.
   */
  readonly notice?: Notice;
  /** How many lines of the log could not be written, for the metrics. */
  readonly lostLines?: () => number;
  /** Called with each unexpected error of the server; standard error by default. */
  readonly report?: (error: unknown) => void;
}
