import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { ruleCheck } from "@trainyard/live";
import { inThread, tinyTrainer } from "@trainyard/tiny";
import {
  judgeInThread,
  listen,
  type Listener,
  type ListenOptions,
  type PlannedFault,
  type ThreadEnd,
  type Violation,
} from "@trainyard/host";
import { tinyBackend } from "./chat/tiny.ts";
import { upstreamBackend } from "./chat/upstream.ts";
import { consoleAccess } from "./http/console-access.ts";
import { readContracts } from "./http/documents.ts";
import { clientAddresses } from "./http/client-address.ts";
import { controlKeyOf, keysOf, reloadKeys } from "./http/key-file.ts";
import { Keys, type KeyOptions } from "./http/keys.ts";
import { Metrics, metricsPage } from "./http/metrics.ts";
import { OwnHosts } from "./http/own-hosts.ts";
import type { ServiceName } from "./http/service-types.ts";
import { consolePages, siteFrom } from "./http/site.ts";
import * as disk from "./jobs/disk.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import type { Trainer } from "./jobs/protocol.ts";
import { trainerProgram } from "./jobs/trainer.ts";
import type { Notice, ServerOptions } from "./options.ts";
import type { ImportKind } from "./import/kinds.ts";
import { createServices } from "./services.ts";
import { startFault } from "./start-fault.ts";
import { checkPresent } from "./store/clean-end.ts";
import { Owner, ownFolder } from "./store/owner.ts";
import { openStore } from "./store/store.ts";

/** What a client needs to call a server: `createTrainingClient(server.connect("training"))`. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** The three services, with state. */
export interface LocalServer {
  /** Handles a request without a port. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The keys, with their entities. */
  readonly keys: readonly KeyOptions[];
  /** Whether the keys were created just now, so that they must be shown to somebody. */
  readonly hasNewKeys: boolean;
  /**
   * Address, key and `fetch` for a client in this process. With `entity`, the key of that entity instead of the first
   * key.
   */
  connect(service: ServiceName | (string & {}), entity?: string): Connection;
  /**
   * Listens on a port, and returns the address of the training service; the other services are below it.
   * @throws Error with the `code` of the system: `EADDRINUSE` if the port is in use
   */
  listen(options?: ListenOptions): Promise<string>;
  /** The address of each service by its name, including those of `documents`; empty before `listen`. */
  addresses(): Readonly<Record<string, string>>;
  /**
   * The address of the console, with the code that opens it in a browser. Undefined before `listen`, and without a
   * console.
   */
  consoleUrl(): string | undefined;
  /** Imports records: all of them, or none if one is invalid. */
  import(kind: ImportKind, records: readonly object[], options?: { as?: string }): Promise<void>;
  /**
   * Plans faults for the next requests of an operation.
   * @throws Error if the operation does not exist
   */
  fault(fault: PlannedFault): void;
  /** Sets the time of the server; undefined resets it to the machine's time. */
  setClock(now: Date | undefined, options?: { frozen?: boolean }): void;
  /** The responses so far that did not match their document; recorded with `checkAnswers`. */
  violations(): readonly Violation[];
  /** Deletes all data except the keys. */
  reset(): Promise<void>;
  /**
   * Finishes the open requests within `stopMs`, and closes the server. Running training jobs are queued again for the next start. With
   * `trainer: { resume: true }` they continue, unless the state is in memory.
   */
  close(): Promise<void>;
}

/**
 * Creates a server of the three services.
 *
 * @throws Error if a folder is in use by another server, or its data were written by a newer release
 */
export function createServer(options: ServerOptions = {}): LocalServer {
  const { data = "memory", checkpoints } = options;
  const owners: Owner[] = [];
  const isNew = data !== "memory" && !existsSync(data);
  let folders: CheckpointFolders | undefined;
  try {
    if (data !== "memory") {
      owners.push(new Owner(data));
      checkPresent(join(data, "trainyard.sqlite"));
      if (checkpoints === undefined) ownFolder(join(data, "checkpoints"));
    }
    const { resume } = trainerOf(options) ?? {};
    // With the permissions of the user's other folders: the chat server may run as another user.
    if (checkpoints !== undefined) mkdirSync(checkpoints, { recursive: true });
    folders = new CheckpointFolders(data, checkpoints, resume, disk);
    if (checkpoints !== undefined) owners.push(new Owner(checkpoints, "checkpoints folder"));
    return assemble(options, folders, owners);
  } catch (error) {
    // A server that cannot start must hold no locks, and leaves no folder that it has made.
    folders?.close();
    if (isNew && owners.length > 0 && process.platform !== "win32") rmSync(data, { recursive: true });
    for (const owner of owners) owner.release();
    throw startFault(error);
  }
}

function assemble(options: ServerOptions, folders: CheckpointFolders, owners: readonly Owner[]): LocalServer {
  const { data = "memory", backend = "tiny", notice = console.error } = options;
  // First: a server that does not start must not create a key that nobody sees.
  const metrics = new Metrics();
  const crashed = (end: ThreadEnd) => {
    const { thread } = end;
    metrics.countCrash(thread);
    notice(`${end.message}${end.loses ? "" : " It is started again."}`, { event: "thread.restarted", thread });
  };
  const chat = backend === "tiny" ? tinyBackend(inThread(folders.root, crashed)) : upstreamBackend(backend, metrics);
  const contracts = readContracts();
  const made = keysOf(options.keys, data);
  const controlKey = options.controlKey ?? controlKeyOf(data);
  const local = contracts.find(({ name }) => name === "local");
  if (local === undefined) throw new Error("A document is missing.");
  const access = consoleAccess(local.document, controlKey);
  const site = options.site === undefined ? undefined : siteFrom(options.site);
  const hosts = new OwnHosts(options.hosts);
  const keys = new Keys(made.keys, controlKey);
  const clientOf = clientAddresses(options.trustedProxies ?? []);
  const log: ServerOptions["log"] = (entry) => {
    // The second entry of a stream is no other request.
    if (entry.outcome === undefined) metrics.count(entry);
    options.log?.(entry);
  };
  const metricsAt = metricsPage(metrics, {
    keys,
    facts: () => services.facts(),
    usage: () => services.usage(),
    underWay: () => services.app.underWay(),
    folders: data === "memory" ? {} : { data, checkpoints: folders.root },
    log: data === "memory" ? undefined : join(data, "trainyard.sqlite-wal"),
    lostLines: options.lostLines ?? (() => 0),
  });
  const services = createServices(
    { ...options, log },
    {
      contracts,
      keys,
      folders,
      trainer: trainerOf(options),
      backend: chat,
      openStore: (now, repaired) => openStore({ data, now, notice, repaired, crashed }),
      judgeInThread: (here, settings) => judgeInThread(here, { ...settings, crashed }),
      rules: ruleCheck(),
      onDropped: (bytes) => metrics.dropped(bytes),
      cookieFor: (code, isKey) => access.cookieFor(code, isKey),
      other: async (request, onAuthorized) =>
        (options.console === true ? await consolePages(request) : undefined) ??
        (await metricsAt(request, onAuthorized)) ??
        site?.(request),
    },
  );
  const { app, started } = services;
  let consoleUrl: string | undefined;
  let listener: Listener | undefined;
  let closed: Promise<void> | undefined;

  const fetch: typeof services.fetch = async (request, headerBytes, onAuthorized, peer) => {
    if (!hosts.admits(request)) return app.unreadable(421, foreignHost);
    const client = clientOf(peer, request.headers);
    return services.fetch(
      options.console === true ? access.admit(request) : request,
      headerBytes,
      onAuthorized,
      client,
    );
  };

  if (data !== "memory") tellRestored(join(data, "restored.json"), notice);
  const unwatch = made.file === undefined ? undefined : reloadKeys(keys, made.file, notice);

  let unwatchLoop: (() => void) | undefined;

  async function end(): Promise<void> {
    unwatch?.();
    unwatchLoop?.();
    await services.end((ms) => listener?.close(ms));
    for (const owner of owners) owner.release();
  }

  const { connect, fault, import: bringIn, reset, setClock, violations } = services;
  return {
    get keys() {
      return keys.list;
    },
    hasNewKeys: made.isNew,
    fetch: (request) => fetch(request),
    connect,
    async listen(where = {}) {
      await started;
      listener = await listen({ fetch, unreadable: app.unreadable }, where).catch((error: unknown) => {
        throw startFault(error, where);
      });
      access.listens(listener.url);
      unwatchLoop = metrics.watchLoop();
      hosts.listens(where.host);
      if (options.console === true) consoleUrl = `${listener.url}/console/#${access.code}`;
      if (data !== "memory") {
        const files = { ...(made.file && { keys: resolve(made.file) }), checkpoints: folders.root };
        const pages = consoleUrl !== undefined && { console: consoleUrl };
        owners[0]?.write({ pid: process.pid, url: listener.url, controlKey, ...pages, ...files });
      }
      return listener.url;
    },
    addresses: () => {
      const all = Object.entries(listener === undefined ? {} : services.prefixes);
      return Object.fromEntries(all.map(([name, prefix]) => [name, `${listener?.url}${prefix}`]));
    },
    consoleUrl: () => consoleUrl,
    import: bringIn,
    fault,
    setClock,
    violations,
    reset,
    close: () => (closed ??= end()),
  };
}

/** Reports that the data were restored since the last start. */
function tellRestored(file: string, notice: Notice): void {
  if (!existsSync(file)) return;
  const { from, time, files }: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
  const event = { event: "data.restored", command: "restore", from, time, files } as const;
  notice(`The data were restored from ${String(from)}, as they were at ${String(time)}.`, event);
  rmSync(file);
}

/** The program that trains, if any. The tiny model's trainer can train only the tiny model. */
function trainerOf({ backend = "tiny", trainer }: ServerOptions): Trainer | undefined {
  if (trainer === "none") return undefined;
  const { command = backend === "tiny" ? tinyTrainer() : undefined } = trainer ?? {};
  return command && trainerProgram({ ...trainer, command });
}

const foreignHost =
  "This server does not accept that host name. Use the address that it printed, or allow the name with --allow-host.";
