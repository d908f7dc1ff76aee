import { format } from "node:util";
import { UsageError } from "@trainyard/terminal/command";
import { visible } from "@trainyard/terminal/lines";
import type { Notice, RequestLog } from "../options.ts";
import type { TrainerLogLine } from "../jobs/trainer-log.ts";

/** The format of a log: text for people, or JSON Lines. */
export type LogForm = "text" | "json";

/** The options of a log. */
export interface LogOptions {
  readonly form: LogForm;
  /** Whether requests are logged. */
  readonly requests: boolean;
  /** Receives each line. */
  readonly write: (line: string) => void;
  /** The time of a line; the machine's by default. */
  readonly now?: () => Date;
}

/** The log of a server that runs by itself. */
export interface ServerLog {
  /** Writes a request, where requests are logged. */
  readonly request: (entry: RequestLog) => void;
  /** Writes a line of a trainer. */
  readonly trainer: (line: TrainerLogLine) => void;
  /** Writes a notice for the people who run the server. */
  readonly notice: Notice;
  /** Writes an unexpected error of the server. */
  readonly error: (error: unknown) => void;
  /** Writes why the server does not start. */
  readonly failure: (error: unknown) => void;
}

/** Reads `--log`. By default, the format that fits the output. */
export function logFormOf(text: string | undefined, isTerminal: boolean): LogForm {
  if (text === undefined) return isTerminal ? "text" : "json";
  if (text === "text" || text === "json") return text;
  throw new UsageError(`--log must be text, json or none, not ${text}.`);
}

/** Creates a log. No line contains the body or the key of a request. */
export function serverLog(options: LogOptions): ServerLog {
  const log = options.form === "json" ? jsonLog(options) : textLog(options);
  return options.requests ? log : { ...log, request: () => undefined };
}

function textLog({ write }: LogOptions): ServerLog {
  const say = (line: string) => write(visible(line));
  return {
    request: ({ method, path, status, milliseconds, requestId, operation, caller, client, outcome, reason }) => {
      const who = caller && `${caller.owner}${caller.id === undefined ? "" : `/${caller.id}`}`;
      const end = outcome && `stream ${outcome}`;
      const names = [requestId, operation, who, client, end].filter((name) => name !== undefined).join(" ");
      say(`${method} ${path} ${status} ${milliseconds} ms ${names}${reason ? `: ${reason}` : ""}`);
    },
    trainer: ({ jobId, line }) => say(`trainer ${jobId} ${line}`),
    notice: (sentence) => say(sentence),
    // The lines of a stack stay lines.
    error: (error) => write(textOf(error).split("\n").map(visible).join("\n")),
    failure: (error) => write(messageOf(error).split("\n").map(visible).join("\n")),
  };
}

function jsonLog({ write, now = () => new Date() }: LogOptions): ServerLog {
  const say = (level: Level, entry: object) => write(JSON.stringify({ time: now().toISOString(), level, ...entry }));
  return {
    request: ({ requestId, operation, method, path, status, milliseconds, caller, client, project, outcome, reason }) =>
      say(outcome === "cut" ? "error" : levelOf(status), {
        message: outcome === undefined ? "request" : "end of stream",
        request_id: requestId,
        operation,
        method,
        path,
        status,
        duration_ms: milliseconds,
        entity: caller?.owner,
        key_id: caller?.id,
        client,
        project,
        outcome,
        reason,
      }),
    trainer: ({ jobId, attempt, line }) => say("info", { message: line, job_id: jobId, attempt }),
    notice: (message, event) =>
      say(event && !/failed|expired|refused|restarted/.test(event.event) ? "info" : "warn", { message, ...event }),
    error: (error) => say("error", { message: messageOf(error), error: textOf(error) }),
    failure: (error) => say("error", { message: messageOf(error) }),
  };
}

/**
 * Turns everything else that this process would write to standard error into lines of a log: errors that nobody catches,
 * which end the process, warnings of Node, and what libraries write to the console.
 */
export function logEverything(log: ServerLog): void {
  process.on("uncaughtException", (error) => {
    log.error(error);
    process.exit(1);
  });
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.notice(`${name}: ${message}`));
  console.error = (...parts: unknown[]) =>
    parts[0] instanceof Error ? log.error(parts[0]) : log.notice(format(...parts));
  console.warn = console.error;
}

type Level = "info" | "warn" | "error";

function levelOf(status: number): Level {
  if (status >= 500) return "error";
  return status >= 400 ? "warn" : "info";
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
