import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inThread, tinyTrainer } from "@trainyard/tiny";
import {
  judgeBeside,
  listen,
  type Listener,
  type ListenOptions,
  type PlannedFault,
  type Violation,
} from "@trainyard/host";
import { tinyBackend } from "./chat/tiny.ts";
import { upstreamBackend } from "./chat/upstream.ts";
import { openConsole } from "./console/console.ts";
import { consoleAccess } from "./http/console-access.ts";
import { consolePages } from "./http/console-pages.ts";
import { readContracts } from "./http/documents.ts";
import { readKeys, readOrMakeKeys, watchKeys, type MadeKeys } from "./http/key-file.ts";
import { makeKey, type KeyOptions } from "./http/keys.ts";
import { Metrics } from "./http/metrics.ts";
import { metricsPage } from "./http/metrics-page.ts";
import { OwnHosts } from "./http/own-hosts.ts";
import type { ServiceName } from "./http/service-types.ts";
import { siteFrom } from "./http/site.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import type { Trainer } from "./jobs/protocol.ts";
import { trainerProgram } from "./jobs/trainer.ts";
import type { ServerOptions } from "./options.ts";
import type { ImportKind } from "./import/kinds.ts";
import { createServices } from "./services.ts";
import { startFault } from "./start-fault.ts";
import { Owner, ownFolder } from "./store/owner.ts";
import { openStore } from "./store/store.ts";

/** What a client needs in order to call a server: `createTrainingClient(server.connect("training"))`. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** The three services, with state. */
export interface LocalServer {
  /** Answers a request, without a port. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The keys and whose they are. */
  readonly keys: readonly KeyOptions[];
  /** Whether the keys were made just now: then somebody must be told. */
  readonly hasNewKeys: boolean;
  /** Address, key and `fetch` for a client in this process; with `entity`, that one's key instead of the first. */
  connect(service: ServiceName | (string & {}), entity?: string): Connection;
  /**
   * Serves a port, and gives the address of the training service; the others are below it.
   * @throws Error with the `code` of the system: `EADDRINUSE` where the port is taken
   */
  listen(options?: ListenOptions): Promise<string>;
  /** The address of each service by its name, those of `documents` included; empty before `listen`. */
  addresses(): Readonly<Record<string, string>>;
  /** The address of the console with the code that opens it in a browser; undefined before `listen`, and without a console. */
  consoleUrl(): string | undefined;
  /** Brings records in, all or none. */
  import(kind: ImportKind, records: readonly object[], options?: { as?: string }): Promise<void>;
  /**
   * Plans what goes wrong with the next requests of an operation.
   * @throws Error where there is no such operation
   */
  fault(fault: PlannedFault): void;
  /** Sets the time that the server goes by; undefined gives it its own back. */
  setClock(now: Date | undefined, options?: { frozen?: boolean }): void;
  /** The answers so far that broke their document; looked for with `checkAnswers`. */
  violations(): readonly Violation[];
  /** Deletes everything but the keys. */
  reset(): Promise<void>;
  /**
   * Finishes the requests that are under way, and ends. What training jobs run is queued again for the next start; with
   * `trainer: { resume: true }` it goes on, unless the state is in memory.
   */
  close(): Promise<void>;
}

/**
 * Makes a server of the three services.
 *
 * @throws Error where a folder is in use by another server, or its data were written by a newer release
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
      // With the rights that the user's other folders have: who answers chat may be another user.
      mkdirSync(checkpoints, { recursive: true });
      owners.push(new Owner(checkpoints, "checkpoints folder"));
    }
    return assemble(options, folders, owners);
  } catch (error) {
    // Who cannot start holds nothing.
    folders?.close();
    for (const owner of owners) owner.release();
    throw startFault(error);
  }
}

function assemble(options: ServerOptions, folders: CheckpointFolders, owners: readonly Owner[]): LocalServer {
  const { data = "memory", backend = "tiny", notice = console.error } = options;
  const contracts = readContracts();
  const made = keysOf(options.keys, data);
  const controlKey = options.controlKey ?? makeKey();
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
      backend: backend === "tiny" ? tinyBackend(() => inThread(folders.root)) : upstreamBackend(backend),
      openStore: (now, repaired) => openStore({ data, now, notice, repaired }),
      openConsole: (store) => openConsole(data, store),
      beside: judgeBeside,
      cookieFor: (code) => access.cookieFor(code),
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

  const fetch: typeof services.fetch = async (request, ...more) => {
    if (!hosts.admits(request)) return app.unreadable(421, foreignHost);
    return services.fetch(options.console === true ? access.admit(request) : request, ...more);
  };

  const unwatch =
    made.file === undefined
      ? undefined
      : watchKeys(made.file, {
          changed: (list) => services.keys.replace(list),
          refused: notice,
        });

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
    addresses: () =>
      Object.fromEntries(
        listener === undefined
          ? []
          : Object.entries(services.prefixes).map(([name, prefix]) => [name, `${listener?.url}${prefix}`]),
      ),
    consoleUrl: () => consoleUrl,
    import: bringIn,
    fault,
    setClock,
    violations,
    reset,
    close: () => (closed ??= end()),
  };
}

function keysOf(given: ServerOptions["keys"], data: string): MadeKeys {
  if (given === undefined) return readOrMakeKeys(data);
  return typeof given === "string"
    ? { file: given, keys: readKeys(given), isNew: false }
    : { keys: given, isNew: false };
}

/** The program that trains, if any. A model that is not the tiny one cannot be trained by its trainer. */
function trainerOf({ backend = "tiny", trainer }: ServerOptions): Trainer | undefined {
  if (trainer === "none") return undefined;
  const program = trainer ?? (backend === "tiny" ? { command: tinyTrainer() } : undefined);
  return program && trainerProgram(program);
}

const foreignHost =
  "This server does not answer by that name. Use the address that it printed, or allow the name with --allow-host.";
