import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ruleCheck } from "@trainyard/live";
import { inThread, tinyTrainer } from "@trainyard/tiny";
import {
  judgeInThread,
  listen,
  type Listener,
  type ListenOptions,
  type PlannedFault,
  type Violation,
} from "@trainyard/host";
import { tinyBackend } from "./chat/tiny.ts";
import { upstreamBackend } from "./chat/upstream.ts";
import { consoleAccess } from "./http/console-access.ts";
import { readContracts } from "./http/documents.ts";
import { controlKeyOf, keysOf, watchKeys } from "./http/key-file.ts";
import type { KeyOptions } from "./http/keys.ts";
import { Metrics, metricsPage } from "./http/metrics.ts";
import { OwnHosts } from "./http/own-hosts.ts";
import type { ServiceName } from "./http/service-types.ts";
import { consolePages, siteFrom } from "./http/site.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import type { Trainer } from "./jobs/protocol.ts";
import { trainerProgram } from "./jobs/trainer.ts";
import type { ServerOptions } from "./options.ts";
import type { ImportKind } from "./import/kinds.ts";
import { createServices } from "./services.ts";
import { startFault } from "./start-fault.ts";
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
   * Finishes the open requests, and closes the server. Running training jobs are queued again for the next start. With
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
  let folders: CheckpointFolders | undefined;
  try {
    if (data !== "memory") {
      owners.push(new Owner(data));
      if (checkpoints === undefined) ownFolder(join(data, "checkpoints"));
    }
    const { resume } = trainerOf(options) ?? {};
    folders = new CheckpointFolders(data, checkpoints, resume);
    if (checkpoints !== undefined) {
      // With the permissions of the user's other folders: the chat server may run as another user.
      mkdirSync(checkpoints, { recursive: true });
      owners.push(new Owner(checkpoints, "checkpoints folder"));
    }
    return assemble(options, folders, owners);
  } catch (error) {
    // A server that cannot start must hold no locks.
    folders?.close();
    for (const owner of owners) owner.release();
    throw startFault(error);
  }
}

function assemble(options: ServerOptions, folders: CheckpointFolders, owners: readonly Owner[]): LocalServer {
  const { data = "memory", backend = "tiny", notice = console.error } = options;
  // First: a server that does not start must not create a key that nobody sees.
  const chat = backend === "tiny" ? tinyBackend(inThread(folders.root)) : upstreamBackend(backend);
  const contracts = readContracts();
  const made = keysOf(options.keys, data);
  const controlKey = options.controlKey ?? controlKeyOf(data);
  const local = contracts.find(({ name }) => name === "local");
  if (local === undefined) throw new Error("A document is missing.");
  const access = consoleAccess(local.document, controlKey);
  const site = options.site === undefined ? undefined : siteFrom(options.site);
  const hosts = new OwnHosts(options.hosts);
  const metrics = new Metrics();
  const log: ServerOptions["log"] = (entry) => {
    metrics.count(entry);
    options.log?.(entry);
  };
  const metricsAt = metricsPage(metrics, {
    controlKey,
    facts: () => services.facts(),
    underWay: () => services.app.underWay(),
  });
  const services = createServices(
    { ...options, log },
    {
      contracts,
      keys: made.keys,
      controlKey,
      folders,
      trainer: trainerOf(options),
      backend: chat,
      openStore: (now, repaired) => openStore({ data, now, notice, repaired }),
      judgeInThread,
      rules: ruleCheck(),
      cookieFor: (code, isKey) => access.cookieFor(code, isKey),
      other: async (request) =>
        (options.console === true ? await consolePages(request) : undefined) ??
        (await metricsAt(request)) ??
        site?.(request),
    },
  );
  const { app, started } = services;
  let consoleUrl: string | undefined;
  let listener: Listener | undefined;
  let closed: Promise<void> | undefined;

  const fetch: typeof services.fetch = async (request, ...rest) => {
    if (!hosts.admits(request)) return app.unreadable(421, foreignHost);
    return services.fetch(options.console === true ? access.admit(request) : request, ...rest);
  };

  const changed = (list: KeyOptions[]) => services.keys.replace(list);
  const unwatch = made.file === undefined ? undefined : watchKeys(made.file, { changed, refused: notice });

  async function end(): Promise<void> {
    unwatch?.();
    await services.end(() => listener?.close());
    for (const owner of owners) owner.release();
  }

  const { connect, fault, import: bringIn, keys, reset, setClock, violations } = services;
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
      hosts.listens(where.host);
      if (options.console === true) consoleUrl = `${listener.url}/console/#${access.code}`;
      if (data !== "memory") owners[0]?.write({ pid: process.pid, url: listener.url, controlKey });
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

/** The program that trains, if any. The tiny model's trainer can train only the tiny model. */
function trainerOf({ backend = "tiny", trainer }: ServerOptions): Trainer | undefined {
  if (trainer === "none") return undefined;
  const program = trainer ?? (backend === "tiny" ? { command: tinyTrainer() } : undefined);
  return program && trainerProgram(program);
}

const foreignHost =
  "This server does not accept that host name. Use the address that it printed, or allow the name with --allow-host.";
