import type { LineFault } from "@trainyard/local";
import { readDocument } from "@trainyard/document";
import {
  validatorOf,
  host,
  PlannedFaults,
  type Api,
  type Host,
  type HostOptions,
  type Violation,
} from "@trainyard/host";
import type { ChatBackend } from "./chat/backend.ts";
import { Chat } from "./chat/chat.ts";
import { Clock } from "./clock.ts";
import type { Console } from "./console/in-memory-console.ts";
import { auxiliaryHandlers } from "./handlers/auxiliary.ts";
import { inferenceHandlers } from "./handlers/inference.ts";
import { localHandlers } from "./handlers/local.ts";
import { readers } from "./handlers/readers.ts";
import { trainingHandlers } from "./handlers/training.ts";
import type { Contract } from "./http/documents.ts";
import { hosted } from "./http/keyed.ts";
import { Keys, type KeyOptions } from "./http/keys.ts";
import { limitsFor } from "./http/limits.ts";
import { logOf } from "./http/request-log.ts";
import { Imports } from "./import/imports.ts";
import type { CheckpointFolders } from "./jobs/folders.ts";
import { Jobs } from "./jobs/jobs.ts";
import type { Trainer } from "./jobs/protocol.ts";
import type { LocalServer } from "./server.ts";
import type { ServerOptions } from "./options.ts";
import type { StoreFacts } from "./store/commands/maintenance.ts";
import { StorageFault } from "./store/storage-fault.ts";
import type { Store } from "./store/store.ts";

/**
 * What the services run on. In Node that is threads, files and a program that trains; in a page, all of it is in memory and in
 * one worker.
 */
export interface Ground {
  /** The documents that are served, by the names of their services. */
  readonly contracts: readonly Contract[];
  readonly keys: readonly KeyOptions[];
  readonly folders: CheckpointFolders;
  readonly trainer: Trainer | undefined;
  readonly backend: ChatBackend;
  /** @param repaired is to be called when storage that failed works again */
  openStore(now: () => number, repaired: () => void): Store;
  openConsole(store: Store): Console;
  /** Has large bodies judged in a thread of their own; without it all are judged in this one. */
  readonly beside?: HostOptions["beside"];
  /** Answers what no document knows, such as the pages of a site. */
  readonly other?: HostOptions["other"];
  /** What sets the cookie that opens the console, for the right code. */
  readonly cookieFor: (code: string) => string | undefined;
  /** The key of the control interface. */
  readonly controlKey: string;
}

/** The services, up. */
export interface Services extends Pick<
  LocalServer,
  "connect" | "import" | "fault" | "setClock" | "violations" | "reset"
> {
  readonly app: Host;
  readonly keys: Keys;
  /** What the paths of each service begin with, by its name: `/inference/v1`, and nothing for the first one. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Resolves once what a crash left is taken up. */
  readonly started: Promise<void>;
  /** Answers a request once that is done. */
  fetch(...request: Parameters<Host["fetch"]>): Promise<Response>;
  /** What the store holds. */
  facts(): Promise<StoreFacts>;
  /**
   * Finishes the requests that are under way, and ends.
   *
   * @param stop lets no more in
   */
  end(stop?: () => Promise<void> | undefined): Promise<void>;
}

/** The documents that handlers are written for. */
const written = ["training", "inference", "auxiliary", "local"] as const;

/** Makes the services on a ground. */
export function createServices(options: ServerOptions, ground: Ground): Services {
  const { dataHosts = [] } = options;
  const report = (error: unknown): void => {
    // Of the storage the store tells, once.
    if (!(error instanceof StorageFault)) (options.report ?? console.error)(error);
  };
  const { contracts, folders, trainer, backend } = ground;
  const [training, inference, auxiliary, local] = written.map((name) => contracts.find((one) => one.name === name));
  if (!training || !inference || !auxiliary || !local) throw new Error("A document is missing.");
  // A service that has no handlers here answers by example of its document, as does one that is brought along.
  const others = [
    ...contracts.filter(({ name }) => !written.some((one) => one === name)),
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
  const trainerLog = options.trainerLog ?? (() => undefined);
  const keys = new Keys(ground.keys);
  const control: KeyOptions = { key: ground.controlKey, entity: "control" };
  const clock = new Clock();
  const store = ground.openStore(clock.now, () => jobs.wake());
  const chat = new Chat(store, backend, clock.now);
  const violations: Violation[] = [];

  const planned = new PlannedFaults(operations.flatMap(({ service, name }) => [name, `${service} ${name}`]));
  const validators = {
    control: validatorOf(local.document.root),
    training: validatorOf(training.document.root),
    auxiliary: validatorOf(auxiliary.document.root),
  };
  const judge = (event: object) => validators.training.at("#/components/schemas/TrainingJobEvent", event);
  // What is in memory ends with the server, and so does its work.
  const resume = trainer?.resume === true && (options.data ?? "memory") !== "memory";
  const jobs = new Jobs({ store, folders, trainer, resume, judge, report, trainerLog });
  const imports = new Imports(store, { ...validators, now: clock.now });
  const reset = async () => {
    await jobs.reset();
    planned.clear();
    violations.length = 0;
    clock.set(undefined);
  };

  const consoleView = ground.openConsole(store);
  const closing = new AbortController();
  const known: Api["keys"] = (credential) => keys.entityOf(credential);
  const controls = new Keys([control]);
  const apis: Api[] = [
    {
      ...training,
      keys: known,
      ungated: ["health.check"],
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
          cookieFor: ground.cookieFor,
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
  const app = host(apis, {
    limits,
    faults: planned,
    beside: ground.beside,
    report,
    unhandled: (document, operation) => unhandled(`${document} ${operation.name}`),
    ...(options.checkAnswers === true && { violation: (violation) => violations.push(violation) }),
    other: ground.other,
    ...(options.log && { log: logOf(options.log) }),
  });
  const started = jobs.start();
  // Who asks is told.
  started.catch(() => undefined);

  const fetch: Services["fetch"] = async (...request) => {
    // What a crash left is taken up before anybody can see it.
    await started;
    return app.fetch(...request);
  };

  return {
    app,
    started,
    fetch,
    facts: () => store.read("store.facts", undefined),
    keys,
    prefixes: Object.fromEntries(
      apis.filter(({ name }) => name !== "local").map(({ name, document }) => [name, document.prefix]),
    ),
    connect(service, entity) {
      const found = apis.find(({ name }) => name === service);
      const key = service === "local" ? control : keys.list.find((one) => one.entity === (entity ?? one.entity));
      if (found === undefined) {
        throw new Error(`There is no service ${service}. There are: ${apis.map(({ name }) => name).join(", ")}.`);
      }
      if (key === undefined) {
        const entities = keys.list.map((one) => one.entity).join(", ");
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
    async import(kind, records, { as } = {}) {
      const id = crypto.randomUUID();
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
    violations: () => [...violations],
    reset,
    async end(stop) {
      await started.catch(() => undefined);
      closing.abort();
      const stopped = stop?.();
      await app.drain();
      await stopped;
      await jobs.close();
      await chat.close();
      // What is in memory ends here; its files may lie elsewhere.
      if ((options.data ?? "memory") === "memory" && options.checkpoints !== undefined) await jobs.reset();
      await consoleView.close();
      await store.close();
      folders.close();
    },
  };
}

function sentenceOf({ line, message }: LineFault): string {
  return `Record ${line}: ${message}`;
}
