import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { daemon, isMisuse } from "@trainyard/terminal/command";
import { BackendError, type ChatBackend } from "../chat/backend.ts";
import { upstreamBackend } from "../chat/upstream.ts";
import { createServer } from "../server.ts";
import { logEverything, logFormOf, serverLog, type ServerLog } from "./log.ts";
import { serveSettings } from "./serve-settings.ts";
import { documentsOf, isThisMachine, numberOf, optionsOf, upstreamOf } from "./serve-options.ts";
import { readSettings, type Given } from "./settings.ts";

export { serveHelp as help } from "./serve-settings.ts";

/** Serves until the process receives a signal to stop. */
export async function run(args: string[]): Promise<void> {
  let given: Given<typeof serveSettings>;
  try {
    given = readSettings(serveSettings, args);
  } catch (error) {
    // Without this wish, mistakes in the options are reported as those of other commands.
    if (!/--log[= ]json/.test(args.join(" "))) throw error;
    serverLog({ form: "json", requests: false, write: console.error }).failure(error);
    process.exitCode = 2;
    return;
  }
  const isQuiet = given.quiet === true || given.log === "none";
  const form = logFormOf(isQuiet ? undefined : given.log, process.stderr.isTTY);
  const log = serverLog({ form, requests: !isQuiet, write: console.error });
  logEverything(log);
  try {
    await serve(given, log);
  } catch (error) {
    log.failure(error);
    process.exitCode = isMisuse(error) ? 2 : 1;
  }
}

async function serve(given: Given<typeof serveSettings>, log: ServerLog): Promise<void> {
  const { host = "127.0.0.1", data = ".trainyard" } = given;
  const port = numberOf("port", given.port ?? "4010", { least: 0, most: 65_535 });
  const upstream = upstreamOf(given);
  const documents = await documentsOf(given, log.notice);
  // Before any output: a reader of the output may stop the process at once.
  const { stopped, lost } = daemon();
  const server = createServer({ ...optionsOf(given, log), documents, lostLines: lost });
  const url = await server.listen({ port, host, ownProcess: true }).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  for (const [name, address] of Object.entries(server.addresses())) console.log(`${name.padEnd(10)} ${address}`);
  const consoleUrl = server.consoleUrl();
  // What is printed elsewhere than on a terminal is kept in journals and logs, which others read.
  const isPrivate = process.stdout.isTTY || data === "memory";
  const withCode = isPrivate ? consoleUrl : `${url}/console/ (its code is in ${join(data, "server.json")})`;
  if (consoleUrl !== undefined) console.log(`console    ${withCode}`);
  if (given.site !== undefined) console.log(`site       ${url}/docs/`);
  console.log(`data       ${data}`);
  const keyFile = given.keys ?? join(data, "keys.json");
  if (server.hasNewKeys && isPrivate) {
    const kept = data === "memory" ? "it ends with the server" : `it is kept in ${keyFile}`;
    for (const { key, entity } of server.keys) console.log(`key        ${key} (of ${entity}; ${kept})`);
  } else {
    const entities = server.keys.map(({ entity }) => entity).join(", ");
    console.log(`key        in ${keyFile} (of ${entities})`);
  }
  if (!isThisMachine(host)) log.notice(beyond(host));
  const ending = new AbortController();
  if (upstream) {
    console.log(`chat       ${upstream.url}`);
    void awaitBackEnd(upstreamBackend(upstream), { say: log.notice, signal: ending.signal });
  }
  await stopped;
  // The second signal exits at once, without waiting for open requests.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  ending.abort();
  await server.close();
}

/** A warning for a server that other machines can reach. */
function beyond(host: string): string {
  return (
    `Other machines can reach this server at ${host}. Traffic is not encrypted: allow only networks that you trust, or ` +
    "put a proxy with TLS in front of it. A key gives access to all data of its entity. Health, the system check, the " +
    "base models and the site need no key."
  );
}

/**
 * Reports once that a chat server cannot be reached yet, and once that it can: one that loads a model takes minutes.
 * Reports nothing if the first check succeeds. Resolves when the server can be reached, or when the watch ends.
 */
export async function awaitBackEnd(
  backend: Pick<ChatBackend, "check">,
  { say, signal, everyMs = 1000 }: { say: (sentence: string) => void; signal: AbortSignal; everyMs?: number },
): Promise<void> {
  for (let looks = 0; !signal.aborted; looks++) {
    try {
      await backend.check(AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
      if (looks > 0) say("The chat server can be reached now.");
      return;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const why = error instanceof BackendError ? (error.details.reason ?? message) : message;
      if (looks === 0 && !signal.aborted) say(`${why} Chat requests return 503 until it can be reached.`);
    }
    await later(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
