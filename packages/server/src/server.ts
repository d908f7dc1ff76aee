import { randomUUID } from "node:crypto";
import type { LineFault } from "@trainyard/local";
import { readDocument } from "@trainyard/document";
import { tinyTrainer } from "@trainyard/tiny";
import {
  validatorOf,
  host,
  listen,
  PlannedFaults,
  type Api,
  type Listener,
  type ListenOptions,
  type PlannedFault,
  type Violation,
} from "@trainyard/host";
import { Chat } from "./chat/chat.ts";
import { tinyBackend } from "./chat/tiny.ts";
import { upstreamBackend } from "./chat/upstream.ts";
import { Clock } from "./clock.ts";
import { openConsole } from "./console/console.ts";
import { auxiliaryHandlers } from "./handlers/auxiliary.ts";
import { inferenceHandlers } from "./handlers/inference.ts";
import { localHandlers } from "./handlers/local.ts";
import { readers } from "./handlers/readers.ts";
import { trainingHandlers } from "./handlers/training.ts";
import { consoleAccess } from "./http/console-access.ts";
import { consolePages } from "./http/console-pages.ts";
import { readContracts } from "./http/documents.ts";
import { readOrMakeKeys } from "./http/key-file.ts";
import { hosted } from "./http/keyed.ts";
import { Keys, makeKey, type KeyOptions } from "./http/keys.ts";
import { limitsFor } from "./http/limits.ts";
import { logOf } from "./http/request-log.ts";
import type { ServiceName } from "./http/service-types.ts";
import { siteFrom } from "./http/site.ts";
import { Imports } from "./import/imports.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import { Jobs } from "./jobs/jobs.ts";
import type { TrainerOptions } from "./jobs/trainer.ts";
import type { ServerOptions } from "./options.ts";
import type { ImportKind } from "./import/kinds.ts";
import { Owner } from "./store/owner.ts";
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
   * @throws Error where the port is taken
   */
  listen(options?: ListenOptions): Promise<string>;
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
  /** Finishes the requests that are under way, and ends. What training jobs run is queued again for the next start. */
  close(): Promise<void>;
}

/**
 * Makes a server of the three services.
 *
 * @throws Error where a folder is in use by another server, or its data were written by a newer release
 */
export function createServer(options: ServerOptions = {}): LocalServer {
  const { data = "memory" } = options;
  const owner = data === "memory" ? undefined : new Owner(data);
  let folders: CheckpointFolders | undefined;
  try {
    folders = new CheckpointFolders(data, options.checkpoints);
    return assemble(options, folders, owner);
  } catch (error) {
    // Who cannot start holds nothing.
    folders?.close();
    owner?.release();
    throw error;
  }
}

function assemble(options: ServerOptions, folders: CheckpointFolders, owner: Owner | undefined): LocalServer {
  const { data = "memory", backend = "tiny", dataHosts = [], report = console.error } = options;
  const contracts = readContracts();
  const written = ["training", "inference", "auxiliary", "local"];
  const [training, inference, auxiliary, local] = written.map((name) => contracts.find((one) => one.name === name));
  if (!training || !inference || !auxiliary || !local) throw new Error("A document is missing.");
  // A service that has no handlers here answers by example of its document, as does one that is brought along.
  const others = [
    ...contracts.filter(({ name }) => !written.includes(name)),
    ...Object.entries(options.documents ?? {}).map(([name, root]) => ({ name, document: readDocument(root) })),
  ];
  const operations = [training, inference, auxiliary, ...others].flatMap(({ name: service, document }) =>
    document.operations.map(({ name }) => ({ service, name })),
  );
  // Before anything is opened: who refuses to start must hold nothing.
  const limits = limitsFor(
    options.limits,
    operations.map(({ name }) => name),
  );
  const trainer = trainerOf(options);
  const trainerLog = options.trainerLog ?? (() => undefined);
  const made = options.keys === undefined ? readOrMakeKeys(data) : { keys: options.keys, isNew: false };
  const keys = new Keys(made.keys);
  const control: KeyOptions = { key: options.controlKey ?? makeKey(), entity: "control" };
  const clock = new Clock();
  const store = openStore({ data, now: clock.now });
  const chat = new Chat(
    store,
    backend === "tiny" ? tinyBackend(() => folders.root) : upstreamBackend(backend),
    clock.now,
  );
  const violations: Violation[] = [];

  const planned = new PlannedFaults(operations.flatMap(({ service, name }) => [name, `${service} ${name}`]));
  const validators = {
    control: validatorOf(local.document.root),
    training: validatorOf(training.document.root),
    auxiliary: validatorOf(auxiliary.document.root),
  };
  const judge = (event: object) => validators.training.at("#/components/schemas/TrainingJobEvent", event);
  const jobs = new Jobs({ store, folders, trainer, judge, report, trainerLog });
  const imports = new Imports(store, { ...validators, now: clock.now });
  const reset = async () => {
    await jobs.reset();
    planned.clear();
    violations.length = 0;
    clock.set(undefined);
  };

  const consoleView = openConsole(data, store);
  const access = consoleAccess(local.document, control.key);
  const closing = new AbortController();
  const known: Api["keys"] = (credential) => keys.entityOf(credential);
  const controls = new Keys([control]);
  const apis: Api[] = [
    {
      ...training,
      keys: known,
      handlers: hosted(training.document, trainingHandlers({ store, chat, jobs, dataHosts })),
      readers: {
        functions: readers,
        module: new URL(
          import.meta.url.endsWith(".ts") ? "./handlers/readers.ts" : "./handlers/readers.js",
          import.meta.url,
        ),
      },
    },
    { ...inference, keys: known, handlers: hosted(inference.document, inferenceHandlers(chat)) },
    { ...auxiliary, keys: known, handlers: hosted(auxiliary.document, auxiliaryHandlers(store, clock.now)) },
    {
      ...local,
      keys: (credential) => controls.entityOf(credential),
      handlers: hosted(
        local.document,
        localHandlers({
          store,
          imports,
          planned,
          clock,
          violations,
          reset,
          console: consoleView,
          access,
          folders,
          closing: closing.signal,
        }),
      ),
      // What is planned must not spoil the plan's own control.
      isExempt: true,
    },
    ...others.map((other) => ({ ...other, keys: known })),
  ];
  const {
    unhandled = (operation) => console.error(`${operation} has no handler, and answers by example of its document.`),
  } = options;
  const site = options.site === undefined ? undefined : siteFrom(options.site);
  let consoleUrl: string | undefined;
  const other = async (request: Request) => {
    const page = options.console === true ? await consolePages(request) : undefined;
    return page ?? site?.(request);
  };
  const app = host(apis, {
    limits,
    faults: planned,
    beside: true,
    report,
    unhandled: (document, operation) => unhandled(`${document} ${operation.name}`),
    ...(options.checkAnswers === true && { violation: (violation) => violations.push(violation) }),
    other,
    ...(options.log && { log: logOf(options.log) }),
  });
  const started = jobs.start();
  started.catch(report);
  let listener: Listener | undefined;
  let closed: Promise<void> | undefined;

  const fetch = async (request: Request, headerBytes?: number): Promise<Response> => {
    // What a crash left is taken up before anybody can see it.
    await started;
    if (options.console !== true) return app.fetch(request, headerBytes);
    if (access.guards(request) && !access.isOwnHost(request)) return app.unreadable(421, foreignHost);
    return app.fetch(access.admit(request), headerBytes);
  };

  async function end(): Promise<void> {
    await started.catch(() => undefined);
    closing.abort();
    const stopped = listener?.close();
    await app.drain();
    await stopped;
    await jobs.close();
    await chat.close();
    // What is in memory ends here; its files may lie elsewhere.
    if (data === "memory" && options.checkpoints !== undefined) await jobs.reset();
    await consoleView.close();
    await store.close();
    folders.close();
    owner?.release();
  }

  return {
    fetch: (request) => fetch(request),
    keys: made.keys,
    hasNewKeys: made.isNew,
    connect(service, entity) {
      const found = apis.find(({ name }) => name === service);
      const key = service === "local" ? control : made.keys.find((known) => known.entity === (entity ?? known.entity));
      if (found === undefined) {
        throw new Error(`There is no service ${service}. There are: ${apis.map(({ name }) => name).join(", ")}.`);
      }
      if (key === undefined) {
        const entities = made.keys.map((known) => known.entity).join(", ");
        throw new Error(`There is no key of ${entity}. There are keys of: ${entities}.`);
      }
      return {
        // A reserved name: who forgets to pass `fetch` on meets nobody.
        baseUrl: `http://local.invalid${found.document.prefix}`,
        apiKey: key.key,
        fetch: async (input, init) => {
          const request = new Request(input, init);
          request.signal.throwIfAborted();
          return fetch(request);
        },
      };
    },
    async listen(where = {}) {
      await started;
      listener = await listen({ fetch, unreadable: app.unreadable }, where);
      access.listens(listener.url, where.host);
      if (options.console === true) consoleUrl = `${listener.url}/console/#${access.code}`;
      owner?.write({ pid: process.pid, url: listener.url, controlKey: control.key });
      return listener.url;
    },
    async import(kind, records, { as } = {}) {
      const id = randomUUID();
      await imports.begin(id, kind);
      const state = await imports.add({
        id,
        kind,
        ...(as !== undefined && { as }),
        from: 0,
        lines: records.map((record) => JSON.stringify(record)),
      });
      if (state === "not-begun" || state.faults.length > 0) {
        await imports.abort(id);
        throw new Error(`Nothing was imported. ${state === "not-begun" ? "" : state.faults.map(sentenceOf).join(" ")}`);
      }
      await imports.finish(id);
    },
    fault: (fault) => planned.plan(fault),
    setClock: (now, { frozen = false } = {}) => clock.set(now?.getTime(), frozen),
    consoleUrl: () => consoleUrl,
    violations: () => [...violations],
    reset,
    close: () => (closed ??= end()),
  };
}

/** The program that trains, if any. A model that is not the tiny one cannot be trained by its trainer. */
function trainerOf({ backend = "tiny", trainer }: ServerOptions): TrainerOptions | undefined {
  if (trainer === "none") return undefined;
  return trainer ?? (backend === "tiny" ? { command: tinyTrainer() } : undefined);
}

const foreignHost =
  "This server does not answer by that name. Use the address that it printed, or give the name with --host.";

function sentenceOf({ line, message }: LineFault): string {
  return `Record ${line}: ${message}`;
}
