/**
 * The local server inside a page: all of it in memory, in one worker. The page provides SQLite and the weights of the
 * tiny model.
 *
 * @module
 */
import { baseModelName, inProcess, train, type TinyModel } from "@trainyard/tiny/page";
import { tinyBackend } from "./chat/tiny.ts";
import { servedDocument } from "./console/routes.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import { Keys } from "./http/keys.ts";
import type { Trainer, TrainerLine } from "./jobs/protocol.ts";
import { createServices, type Services } from "./services.ts";
import type { ServerOptions } from "./options.ts";
import { commands } from "./store/commands/index.ts";
import type { Database } from "./store/database.ts";
import { migrate } from "./store/migrations.ts";
import type { CommandName, Input, Result } from "./store/protocol.ts";
import type { Store } from "./store/store.ts";

export type { Services } from "./services.ts";
export { servedDocument } from "./console/routes.ts";
export { transact, type Database, type Params, type Row, type Value } from "./store/database.ts";

/** What the page provides. */
export interface PageServerOptions extends Pick<ServerOptions, "checkAnswers" | "log" | "report" | "trainerLog"> {
  /** The bundled documents, by the names of their services. */
  readonly documents: Readonly<Record<string, object>>;
  /** An empty database. */
  readonly database: Database;
  /** Returns the weights of the base model. It is called when they are first needed. */
  readonly loadBase: () => Promise<TinyModel>;
  /** The API key of the services, and the entity that it belongs to. */
  readonly key: { readonly key: string; readonly entity: string };
  readonly controlKey: string;
}

/** The local server in a page's worker, and the folder that holds its checkpoints. */
export interface PageServer extends Services {
  readonly checkpoints: string;
}

/** Creates the local server in a page's worker. */
export function createPageServer(options: PageServerOptions): PageServer {
  const { documents, database, loadBase, key, controlKey } = options;
  const folders = new CheckpointFolders("memory");
  const services = createServices(options, {
    contracts: Object.entries(documents).map(([name, root]) => ({ name, document: servedDocument(name, root) })),
    keys: new Keys([key], controlKey),
    folders,
    trainer: trainerHere(loadBase),
    backend: tinyBackend(inProcess(folders.root, loadBase)),
    openStore: (now) => openStoreHere(database, now),
    cookieFor: () => undefined,
  });
  return { ...services, checkpoints: folders.root };
}

/** Opens a store in an empty database, in this thread. Each command is a transaction of its own. */
function openStoreHere(database: Database, now: () => number): Store {
  migrate(database);
  const call = async <K extends CommandName>(name: K, input: Input<K>): Promise<Result<K>> => {
    const context = { database, now: now() };
    // The table types each command's input and result. The type of a call by name loses that they belong together.
    return database.transaction(() => commands[name](context, input as never)) as Result<K>;
  };
  return { call, read: call, close: async () => database.close() };
}

/** The tiny model's trainer, in the same thread as the server. */
function trainerHere(loadBase: () => Promise<TinyModel>): Trainer {
  return {
    check: () => undefined,
    async *run({ input, signal, log }) {
      const events = new ReadableStream<TrainerLine>({
        start: async (controller) => {
          try {
            await train(input, {
              baseModels: async (name) => (name === baseModelName ? loadBase() : undefined),
              emit: (type, data) => controller.enqueue({ type, data }),
              note: (line) => void log.write(line),
              signal,
            });
            controller.close();
          } catch (error) {
            controller.error(error);
          }
        },
      });
      const reader = events.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield [next.value];
    },
  };
}
