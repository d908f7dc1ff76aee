import type { UpstreamOptions } from "./chat/upstream.ts";
import type { LimitOptions, RequestLog as HostLog } from "@trainyard/host";
import type { KeyOptions } from "./http/keys.ts";
import type { TrainerLogLine } from "./jobs/trainer-log.ts";
import type { TrainerOptions } from "./jobs/trainer.ts";

/** What is told of a request: no body, no key, no query. */
export interface RequestLog extends HostLog {
  /** `<team>/<project>`, where the request says so. */
  readonly project?: string;
}

/** How a local server is made. */
export interface ServerOptions {
  /** Where state is kept: in `memory`, which ends with the server, or in a folder, made where it is missing. `memory` by default. */
  readonly data?: string;
  /**
   * The keys with their entities, or a file of them. By default, one key is made at the first start and kept in `keys.json` of the
   * data folder. Changes to the file take effect while the server runs.
   */
  readonly keys?: readonly KeyOptions[] | string;
  /** The key of the control interface. A new one is made at each start by default. */
  readonly controlKey?: string;
  /** What answers chat: the tiny model by default, or a server that speaks chat completions. */
  readonly backend?: "tiny" | UpstreamOptions;
  /**
   * What trains: a program. By default it is the tiny model's own where that answers chat, and nothing elsewhere. With `none`
   * every training job fails, and says so.
   */
  readonly trainer?: TrainerOptions | "none";
  /**
   * Where trainers keep what belongs to checkpoints, so that a server of chat can read it: a folder of this server alone.
   * Within the data folder by default, or temporary in memory. What it keeps of a model or a step is deleted with that.
   */
  readonly checkpoints?: string;
  /** The hosts that training data may be downloaded from, as `example.org` or `example.org:8443`; none by default. */
  readonly dataHosts?: readonly string[];
  /**
   * Bundled documents of other services, by name. Each answers with its own examples under the path of its first server.
   */
  readonly documents?: Readonly<Record<string, object>>;
  /**
   * How much is taken at once. A body may have 32 MiB, and that of Log and Create RL Training Job 128 MiB; `bodyBytes` sets all
   * of them, and `bodyBytesOf` those of single operations.
   */
  readonly limits?: LimitOptions;
  /** Checks each answer against its document, and keeps the violations for `violations()`; false by default. */
  readonly checkAnswers?: boolean;
  /** Whether the console is served at `/console`: pages that show what the runs did, for who opens `consoleUrl`; false by default. */
  readonly console?: boolean;
  /**
   * Further names by which browsers reach the port, such as that of a proxy before it. By default: localhost, this machine's
   * name, the `host` of `listen`, and addresses in numbers. Requests with a key take any name.
   */
  readonly hosts?: readonly string[];
  /** The folder of a site to serve at `/docs`. */
  readonly site?: string;
  /** Is told of each request: no body, no key, no query. */
  readonly log?: (entry: RequestLog) => void;
  /** Is told of each line that a trainer writes to its standard error. Each attempt keeps its lines in `trainer.log`, too. */
  readonly trainerLog?: (line: TrainerLogLine) => void;
  /** Is told once of each operation that answers by example when it is first called; standard error by default. */
  readonly unhandled?: (operation: string) => void;
  /**
   * Is called with notices for the people who run the server, such as that its storage fails or works again; standard error by
   * default.
   */
  readonly notice?: (sentence: string) => void;
  /** Is called with each unexpected error of the server; standard error by default. */
  readonly report?: (error: unknown) => void;
}
