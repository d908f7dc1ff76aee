import { readFileSync } from "node:fs";
import type { LimitOptions } from "@trainyard/host";
import { UsageError } from "@trainyard/terminal/command";
import type { UpstreamOptions } from "../chat/upstream.ts";
import type { ServerOptions } from "../options.ts";
import type { ServerLog } from "./log.ts";
import type { serveSettings } from "./serve-settings.ts";
import type { Given } from "./settings.ts";

type ServeSettings = Given<typeof serveSettings>;

/** Makes the options of a server from the settings. */
export function optionsOf(given: ServeSettings, log: ServerLog): ServerOptions {
  const { host = "127.0.0.1", keys, site, checkpoints, "control-key-file": controlKeyFile } = given;
  const { "trainer-log-limit": logLimit, "stop-timeout": stop } = given;
  const upstream = upstreamOf(given);
  const trainer = trainerOf(given);
  return {
    data: given.data ?? ".trainyard",
    dataHosts: given["data-host"] ?? [],
    limits: limitsOf(given),
    checkAnswers: given["check-answers"] ?? false,
    // The console shows all prompts to anyone who finds out its code. On a port that other machines can reach, it is
    // served only on request.
    console: given.console ?? isThisMachine(host),
    hosts: given["allow-host"] ?? [],
    trustedProxies: given["trusted-proxy"] ?? [],
    ...(keys !== undefined && { keys }),
    ...(controlKeyFile !== undefined && { controlKey: readSecret(controlKeyFile) }),
    ...(site !== undefined && { site }),
    ...(checkpoints !== undefined && { checkpoints }),
    ...(trainer !== undefined && { trainer }),
    ...(logLimit !== undefined && { trainerLogBytes: numberOf("trainer-log-limit", logLimit, { scale: 2 ** 20 }) }),
    ...(upstream && { backend: upstream }),
    ...(stop !== undefined && { stopMs: numberOf("stop-timeout", stop, { least: 0, scale: 1000 }) }),
    log: log.request,
    trainerLog: log.trainer,
    notice: log.notice,
    report: log.error,
    unhandled: (operation) => log.notice(`${operation} has no handler. It returns an example from its document.`),
  };
}

/** The chat server, if the settings name one. */
export function upstreamOf({ upstream: url, "upstream-timeout": timeout }: ServeSettings): UpstreamOptions | undefined {
  const { TRAINYARD_UPSTREAM_KEY: apiKey = "" } = process.env;
  if (url === undefined) return undefined;
  return {
    url,
    ...(apiKey !== "" && { apiKey }),
    ...(timeout !== undefined && { timeoutMs: numberOf("upstream-timeout", timeout, { scale: 1000 }) }),
  };
}

function trainerOf(given: ServeSettings): ServerOptions["trainer"] {
  const { trainer, "trainer-cwd": cwd, "trainer-grace": grace, "trainer-jobs": jobs, "trainer-resume": resume } = given;
  const isNone = trainer?.trim() === "none";
  const isBuiltIn = trainer === undefined && given.upstream === undefined;
  if (trainer === undefined || isNone) {
    // The built-in trainer can do several jobs at once, but it does not go on without its server.
    for (const [name, value] of Object.entries({ jobs: isBuiltIn ? undefined : jobs, resume: resume || undefined }))
      if (value !== undefined) throw new UsageError(`--trainer-${name} needs --trainer <program>.`);
    if (isNone) return "none";
    if (!isBuiltIn) return undefined;
  }
  return {
    ...(trainer !== undefined && { command: commandOf(trainer) }),
    ...(cwd !== undefined && { cwd }),
    ...(resume !== undefined && { resume }),
    ...(jobs !== undefined && { jobs: numberOf("trainer-jobs", jobs, { least: 0 }) }),
    ...(grace !== undefined && { graceMs: numberOf("trainer-grace", grace, { least: 0, scale: 1000 }) }),
  };
}

function limitsOf(given: ServeSettings): LimitOptions {
  const { "depth-limit": depth, "header-limit": headers, "request-limit": requests } = given;
  return {
    ...bodyLimitsOf(given["body-limit"] ?? []),
    ...(depth !== undefined && { bodyDepth: numberOf("depth-limit", depth) }),
    ...(headers !== undefined && { headerBytes: numberOf("header-limit", headers, { most: 64, scale: 1024 }) }),
    ...(requests !== undefined && { requests: numberOf("request-limit", requests) }),
  };
}

/** What a number of a setting must be. */
interface Range {
  /** 1 by default. */
  readonly least?: number;
  readonly most?: number;
  /** The value of one unit; 1 by default. With it, the number may have decimals. */
  readonly scale?: number;
}

/**
 * Reads a number from a setting.
 * @throws {@link UsageError} if it is not a number, or out of range
 */
export function numberOf(name: string, text: string, { least = 1, most, scale = 1 }: Range = {}): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const isFit =
    value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER) && (scale !== 1 || Number.isInteger(value));
  if (isFit) return Math.round(value * scale);
  throw new UsageError(
    `--${name} must be ${most === undefined ? `${least} or more` : `from ${least} to ${most}`}, not ${text}.`,
  );
}

/** Whether only this machine can reach what listens on an address. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

/** Reads the documents of other services, each given as `name=file`, and says what is different from the files. */
export async function documentsOf(
  { document: options = [], allow = [] }: ServeSettings,
  notice: (sentence: string) => void,
): Promise<Record<string, object>> {
  const documents: Record<string, object> = {};
  for (const option of options) {
    const [, name, file] = /^([^=]+)=(.+)$/s.exec(option) ?? [];
    if (name === undefined || file === undefined) throw new UsageError(`--document must be name=file, not ${option}.`);
    const { readFile } = await import("@trainyard/document/files");
    const { document, notes } = await readFile(file, { allow });
    for (const note of notes) notice(note);
    documents[name] = document;
  }
  return documents;
}

/** The content of a file that holds a secret. It may end with a newline. */
function readSecret(file: string): string {
  const secret = readFileSync(file, "utf8").trim();
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw new UsageError(`The file ${file} must contain one key: ASCII characters without spaces.`);
  return secret;
}

/** Splits a command into words. Quotes of either kind keep a word with spaces together; there is no shell. */
export function commandOf(line: string): [string, ...string[]] {
  const [program, ...args] = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
  if (program === undefined || program === "") throw new UsageError("--trainer needs a program.");
  return [program, ...args];
}

/**
 * Reads the value of `--body-limit`: MiB for all operations, or `models.log=256` for one.
 * @throws {@link UsageError} if it is not a size
 */
export function bodyLimitsOf(options: readonly string[]): Pick<LimitOptions, "bodyBytes" | "bodyBytesOf"> {
  let bodyBytes: number | undefined;
  const bodyBytesOf: Record<string, number> = {};
  for (const option of options) {
    const [, operation, size] = /^(?:([^=]+)=)?(\d+(?:\.\d+)?)$/.exec(option) ?? [];
    const bytes = Math.floor(Number(size) * 2 ** 20);
    if (!(bytes > 0)) {
      throw new UsageError(`--body-limit must be a number of MiB, as in 64 or models.log=256, not ${option}.`);
    }
    if (operation === undefined) bodyBytes = bytes;
    else bodyBytesOf[operation] = bytes;
  }
  return { bodyBytes, bodyBytesOf };
}
