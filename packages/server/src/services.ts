import { readDocument } from "@trainyard/document";
import {
  validatorOf,
  host,
  PlannedFaults,
  ThreadEnd,
  type Api,
  type Host,
  type HostOptions,
  type Violation,
} from "@trainyard/host";
import { moduleAt } from "@trainyard/host/thread";
import type { ChatBackend } from "./chat/backend.ts";
import { Chat } from "./chat/chat.ts";
import { Clock } from "./clock.ts";
import { auxiliaryHandlers } from "./handlers/auxiliary.ts";
import { inferenceHandlers } from "./handlers/inference.ts";
import { localHandlers, ownRunsOnly } from "./handlers/local.ts";
import { readers } from "./handlers/readers.ts";
import { trainingHandlers } from "./handlers/training.ts";
import type { Contract } from "./http/documents.ts";
import { hosted } from "./http/keyed.ts";
import { needOf } from "./http/needs.ts";
import type { Keys } from "./http/keys.ts";
import { limitsFor } from "./http/limits.ts";
import { importAll } from "./import/imports.ts";
import type { CheckpointFolders } from "./jobs/folders.ts";
import { Jobs } from "./jobs/jobs.ts";
import type { Trainer } from "./jobs/protocol.ts";
import type { Connection, LocalServer } from "./server.ts";
import type { ServerOptions } from "./options.ts";
import { entityBytes } from "./jobs/entity-bytes.ts";
import type { StoreFacts } from "./store/commands/maintenance.ts";
import { deriveOlder } from "./store/derive-older.ts";
import { StorageFault } from "./store/storage-fault.ts";
import type { Store } from "./store/store.ts";

/**
 * The platform that the services run on. In Node: threads, files and a training program. In a page: everything in
 * memory and in one worker.
 */
export interface Platform {
  /** The documents that are served, by the names of their services. */
  readonly contracts: readonly Contract[];
  readonly keys: Keys;
  readonly folders: CheckpointFolders;
  readonly trainer: Trainer | undefined;
  readonly backend: ChatBackend;
  /** @param repaired is called when storage that failed works again */
  openStore(now: () => number, repaired: () => void): Store;
  /** Validates large bodies in a thread of its own; without it, all are validated in this thread. */
  readonly judgeInThread?: HostOptions["judgeInThread"];
  /** Checks the rules of the documents with `checkAnswers`. */
  readonly rules?: HostOptions["rules"];
  /** Receives numbers of bytes that trainer logs leave out. */
  readonly onDropped?: (bytes: number) => void;
  /** Serves paths that no document describes, such as the pages of a site. */
  readonly other?: HostOptions["other"];
  /** Returns the cookie that opens the console, for the right code or a key that may read it. */
  readonly cookieFor: (code: string, isKey: boolean) => string | undefined;
}

/** The running services. */
export interface Services extends Pick<
  LocalServer,
  "connect" | "import" | "fault" | "setClock" | "violations" | "reset"
> {
  readonly app: Host;
  /** The prefix of the paths of each service, by its name: `/inference/v1`, and empty for the first one. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Resolves once the jobs that a crash left are resumed. */
  readonly started: Promise<void>;
  /** Handles a request once `started` has resolved. */
  fetch(...request: Parameters<Host["fetch"]>): Promise<Response>;
  /** What the store contains. */
  facts(): Promise<StoreFacts>;
  /** How many bytes each entity holds. */
  usage(): Promise<ReadonlyMap<string, number>>;
  /**
   * Finishes the open requests within `stopMs`, and closes the services. Trainers are asked to end at once.
   *
   * @param stop stops accepting new requests, and cuts those that are open after so many milliseconds
   */
  end(stop?: (ms: number) => Promise<void> | undefined): Promise<void>;
}

/** The documents that have handlers. */
const written = ["training", "inference", "auxiliary", "local"] as const;

/** Creates the services on a platform. */
export function createServices(options: ServerOptions, platform: Platform): Services {
  const {
    dataHosts = [],
    unhandled = (operation) => console.error(`${operation} has no handler. It returns an example from its document.`),
  } = options;
  const report = (error: unknown): void => {
    // Faults of the storage and ends of threads are reported once, as notices.
    if (!(error instanceof StorageFault || error instanceof ThreadEnd)) (options.report ?? console.error)(error);
  };
  const notice = options.notice ?? console.error;
  const { contracts, folders, trainer, backend, cookieFor } = platform;
  const [training, inference, auxiliary, local] = written.map((name) => contracts.find((one) => one.name === name));
  if (!training || !inference || !auxiliary || !local) throw new Error("A document is missing.");
  // An operation without a handler returns an example of its document, as does a document that the caller adds.
  const others = [
    ...contracts.filter(({ name }) => !written.some((one) => one === name)),
    ...Object.entries(options.documents ?? {}).map(([name, root]) => ({ name, document: readDocument(root) })),
  ];
  const operations = [training, inference, auxiliary, ...others].map(({ name, document }) => ({
    service: name,
    names: document.operations.map((operation) => operation.name),
  }));
  const names = operations.flatMap((one) => one.names);
  // Before anything is opened: a server that refuses to start must hold nothing.
  const limits = limitsFor(options.limits, names);
  const trainerLog = {
    limit: options.trainerLogBytes ?? 64 * 2 ** 20,
    onLine: options.trainerLog ?? (() => undefined),
    onDropped: platform.onDropped ?? (() => undefined),
  };
  const { keys } = platform;
  const clock = new Clock();
  const store = platform.openStore(clock.now, () => {
    jobs.wake();
    // Of a log that was stored while the storage failed, rows may be missing.
    derived = derived.then(deriveAll);
  });
  const chat = new Chat(store, backend, clock.now);
  const violations: Violation[] = [];

  const planned = new PlannedFaults([
    ...names,
    ...operations.flatMap(({ service, names }) => names.map((name) => `${service} ${name}`)),
  ]);
  const validators = {
    control: validatorOf(local.document.root),
    training: validatorOf(training.document.root),
    auxiliary: validatorOf(auxiliary.document.root),
  };
  const judge = (event: object) => validators.training.at("#/components/schemas/TrainingJobEvent", event);
  // State in memory ends with the server, and so do its jobs.
  const resume = trainer?.resume === true && (options.data ?? "memory") !== "memory";
  const jobs = new Jobs({ store, folders, trainer, resume, judge, report, trainerLog });
  const reset = async (by?: string) => {
    const deleted = await jobs.reset();
    planned.clear();
    violations.length = 0;
    clock.set(undefined);
    if (by === undefined) return;
    const { models, logs, jobs: ended } = deleted;
    const what = `${models.length} models with ${logs} logs and ${ended} jobs`;
    const facts = { models: models.length, logs, jobs: ended };
    notice(`All data were deleted: ${what}.`, { event: "state.reset", key_id: by, ...facts });
  };

  const closing = new AbortController();
  const keysFor =
    (name: string): Api["keys"] =>
    (credential, _, operation) =>
      keys.callerOf(credential, needOf(name, operation));
  const { signal } = closing;
  const openConsole = (code: string) => {
    const caller = keys.callerOf({ key: code }, { scope: "read", of: "all entities" });
    return cookieFor(code, caller !== undefined && caller.refusal === undefined);
  };
  const judges = { ...validators, now: clock.now };
  const shared = { store, judges, planned, clock, violations, reset, folders, notice, closing: signal };
  const control = { ...shared, cookieFor: openConsole };
  const apis: Api[] = [
    {
      ...training,
      keys: keysFor("training"),
      ungated: ["health.check"],
      handlers: hosted(
        training.document,
        trainingHandlers({ store, chat, jobs, dataHosts, checkThreads: () => app.check() }),
      ),
      readers: { functions: readers, module: moduleAt("./handlers/readers", import.meta.url) },
    },
    { ...inference, keys: keysFor("inference"), handlers: hosted(inference.document, inferenceHandlers(chat)) },
    {
      ...auxiliary,
      keys: keysFor("auxiliary"),
      handlers: hosted(auxiliary.document, auxiliaryHandlers(store, clock.now)),
    },
    {
      ...local,
      keys: keysFor("local"),
      handlers: ownRunsOnly(hosted(local.document, localHandlers(control)), store),
      // Planned faults must not affect the operations that control them.
      isExempt: true,
      // A filter with a misspelled name would show everything.
      isStrict: true,
    },
    ...others.map((other) => ({ ...other, keys: keysFor(other.name) })),
  ];
  const app = host(apis, {
    limits,
    faults: planned,
    judgeInThread: platform.judgeInThread,
    report,
    unhandled: (document, { name }) => unhandled(`${document} ${name}`),
    ...(options.checkAnswers === true && { violation: (violation) => violations.push(violation) }),
    rules: platform.rules,
    other: platform.other,
    log: (entry, { headers }) => {
      const project = headers.get("compat-project") ?? headers.get("openai-project");
      options.log?.(project === null ? entry : { ...entry, project });
    },
  });
  const started = jobs.start();
  // Callers of `started` and `fetch` get the error. Without one, it must not count as unhandled.
  started.catch(() => undefined);
  const deriveAll = () => deriveOlder(store, notice, signal).catch(report);
  let derived = started.then(deriveAll, () => undefined);

  const fetch: Services["fetch"] = async (...request) => {
    // Jobs that a crash left are resumed before the first request can see them.
    await started;
    return app.fetch(...request);
  };

  return {
    app,
    started,
    fetch,
    facts: () => store.read("store.facts", undefined),
    usage: entityBytes(store, folders),
    prefixes: Object.fromEntries(
      apis.filter(({ name }) => name !== "local").map(({ name, document }) => [name, document.prefix]),
    ),
    connect: (service, entity) => connectionTo({ apis, keys, fetch }, service, entity),
    import: (kind, records, { as } = {}) => importAll(shared, kind, records, as),
    fault: (fault) => planned.plan(fault),
    setClock: (now, { frozen = false } = {}) => clock.set(now?.getTime(), frozen),
    violations: () => [...violations],
    reset: () => reset(),
    async end(stop) {
      await started.catch(() => undefined);
      closing.abort();
      await derived;
      const { stopMs = 20_000 } = options;
      await Promise.all([stop?.(stopMs), app.drain(stopMs), jobs.close()]);
      await chat.close();
      // State in memory ends here, but its files may be elsewhere.
      if ((options.data ?? "memory") === "memory" && options.checkpoints !== undefined) await jobs.reset();
      await store.close();
      folders.close();
    },
  };
}

/** Address, key and `fetch` of a service, for clients in this process. */
function connectionTo(
  { apis, keys, fetch }: { readonly apis: readonly Api[]; readonly keys: Keys; readonly fetch: Services["fetch"] },
  service: string,
  entity: string | undefined,
): Connection {
  const found = apis.find(({ name }) => name === service);
  if (found === undefined) {
    throw new Error(`There is no service ${service}. There are: ${apis.map(({ name }) => name).join(", ")}.`);
  }
  const apiKey = keys.keyOf(service === "local" ? (entity ?? "*") : entity);
  if (apiKey === undefined) {
    const entities = keys.list.map((one) => one.entity).join(", ");
    throw new Error(`There is no key of ${entity}. There are keys of: ${entities}.`);
  }
  return {
    // A reserved name, so that a client without this `fetch` cannot reach a real server.
    baseUrl: `http://local.invalid${found.document.prefix}`,
    apiKey,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      return fetch(request);
    },
  };
}
