import { randomUUID } from "node:crypto";
import { createValidator, type Validator } from "@trainyard/front";
import { builtinBackend } from "./chat/builtin/backend.ts";
import { Chat } from "./chat/chat.ts";
import { upstreamBackend } from "./chat/upstream.ts";
import { Clock } from "./clock.ts";
import { controlHandlers } from "./control/handlers.ts";
import { auxiliaryHandlers } from "./handlers/auxiliary.ts";
import { inferenceHandlers } from "./handlers/inference.ts";
import { trainingHandlers, trainingTakers } from "./handlers/training.ts";
import type { Violation } from "./http/answer-check.ts";
import { createApp } from "./http/app.ts";
import { readContracts, readControlContract, type Contract } from "./http/documents.ts";
import { Exchange, type RuntimeHandler, type Taker } from "./http/exchange.ts";
import { readOrMakeKeys } from "./http/key-file.ts";
import { Keys, makeKey, type KeyOptions } from "./http/keys.ts";
import { limitsOf } from "./http/limits.ts";
import { listen, type Listener, type ListenOptions } from "./http/listen.ts";
import { PlannedFaults, type PlannedFault } from "./http/planned-faults.ts";
import type { Handlers, ServiceName } from "./http/service-types.ts";
import { siteFrom } from "./http/site.ts";
import { Imports, type LineFault } from "./import/imports.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import { Jobs } from "./jobs/jobs.ts";
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
  connect(service: ServiceName | "local", entity?: string): Connection;
  /**
   * Serves a port, and gives the address of the training service; the others are below it.
   * @throws Error where the port is taken
   */
  listen(options?: ListenOptions): Promise<string>;
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
  const { data = "memory", backend = "builtin", trainer, dataHosts = [], report = console.error } = options;
  const trainerLog = options.trainerLog ?? (() => undefined);
  const made = options.keys === undefined ? readOrMakeKeys(data) : { keys: options.keys, isNew: false };
  const keys = new Keys(made.keys);
  const control: KeyOptions = { key: makeKey(), entity: "control" };
  const clock = new Clock();
  const store = openStore({ data, now: clock.now });
  const chat = new Chat(store, backend === "builtin" ? builtinBackend() : upstreamBackend(backend), clock.now);
  const violations: Violation[] = [];
  const limits = limitsOf(options.limits);

  const [training, inference, auxiliary, local] = [...readContracts(), readControlContract()].map((contract) => ({
    contract,
    validator: createValidator(contract.document),
  }));
  if (!training || !inference || !auxiliary || !local) throw new Error("A document is missing.");
  const planned = new PlannedFaults(
    [training, inference, auxiliary].flatMap(({ contract: { name, operations } }) =>
      operations.flatMap((operation) => [operation.name, `${name} ${operation.name}`]),
    ),
  );
  const judge = (event: object) => training.validator.at("#/components/schemas/TrainingJobEvent", event);
  const jobs = new Jobs({ store, folders, trainer, judge, report, trainerLog });
  const imports = new Imports(store, {
    control: local.validator,
    training: training.validator,
    auxiliary: auxiliary.validator,
    now: clock.now,
  });
  const reset = async () => {
    await jobs.reset();
    planned.clear();
    violations.length = 0;
    clock.set(undefined);
  };

  const exchange = (
    { contract, validator }: { contract: Contract; validator: Validator },
    handlers: Readonly<Record<string, RuntimeHandler>>,
    known: Keys,
    takers?: Readonly<Record<string, Taker>>,
  ) =>
    new Exchange(contract, validator, handlers, {
      keys: known,
      limits,
      ...(takers && { takers }),
      violations: { check: options.checkAnswers ?? false, report: (violation) => violations.push(violation) },
      report,
    });
  const app = createApp({
    exchanges: [
      exchange(
        training,
        untyped(trainingHandlers({ store, chat, jobs, dataHosts })),
        keys,
        trainingTakers(store, limits.body),
      ),
      exchange(inference, untyped(inferenceHandlers(chat)), keys),
      exchange(auxiliary, untyped(auxiliaryHandlers(store, clock.now)), keys),
      exchange(local, controlHandlers({ store, imports, planned, clock, violations, reset }), new Keys([control])),
    ],
    limits,
    planned,
    ...(options.site !== undefined && { other: siteFrom(options.site) }),
    ...(options.log && { log: options.log }),
  });
  const started = jobs.start();
  started.catch(report);
  let listener: Listener | undefined;
  let closed: Promise<void> | undefined;

  const fetch = async (request: Request, headerBytes?: number): Promise<Response> => {
    // What a crash left is taken up before anybody can see it.
    await started;
    return app.fetch(request, headerBytes);
  };

  async function end(): Promise<void> {
    await started.catch(() => undefined);
    const stopped = listener?.close();
    await app.drain();
    await stopped;
    await jobs.close();
    // What is in memory ends here; its files may lie elsewhere.
    if (data === "memory" && options.checkpoints !== undefined) await jobs.reset();
    await store.close();
    folders.close();
    owner?.release();
  }

  return {
    fetch: (request) => fetch(request),
    keys: made.keys,
    hasNewKeys: made.isNew,
    connect(service, entity) {
      const found = [training, inference, auxiliary, local].find(({ contract }) => contract.name === service);
      const key = service === "local" ? control : made.keys.find((known) => known.entity === (entity ?? known.entity));
      if (!found || !key)
        throw new Error(
          `There is no key of ${entity}. There are keys of: ${made.keys.map((known) => known.entity).join(", ")}.`,
        );
      return {
        // A reserved name: who forgets to pass `fetch` on meets nobody.
        baseUrl: `http://local.invalid${found.contract.prefix}`,
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
      listener = await listen(fetch, where);
      owner?.write({ pid: process.pid, url: listener.url, controlKey: control.key });
      return listener.url;
    },
    async import(kind, records, { as } = {}) {
      const id = randomUUID();
      await imports.begin(id, kind);
      const state = await imports.add({
        id,
        kind,
        as,
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
    close: () => (closed ??= end()),
  };
}

/** The document has judged what a handler is given: that is of its type, whatever the type is. */
function untyped(handlers: { [S in ServiceName]: Handlers<S> }[ServiceName]): Readonly<Record<string, RuntimeHandler>> {
  return handlers as unknown as Readonly<Record<string, RuntimeHandler>>;
}

function sentenceOf({ line, message }: LineFault): string {
  return `Record ${line}: ${message}`;
}
