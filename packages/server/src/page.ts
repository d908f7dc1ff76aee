/**
 * The local server inside a page: all of it in memory, in one worker. The page provides SQLite and the weights of the
 * tiny model.
 *
 * @module
 */
import { readDocument } from "@trainyard/document";
import { inProcess, type TinyModel } from "@trainyard/tiny/page";
import { tinyBackend } from "./chat/tiny.ts";
import { CheckpointFolders } from "./jobs/folders.ts";
import { openStoreHere } from "./page/store-here.ts";
import { trainerHere } from "./page/trainer-here.ts";
import { createServices, type Services } from "./services.ts";
import type { ServerOptions } from "./options.ts";
import type { Database } from "./store/database.ts";

export type { Services } from "./services.ts";
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
    contracts: Object.entries(documents).map(([name, root]) => ({ name, document: readDocument(root) })),
    keys: [key],
    controlKey,
    folders,
    trainer: trainerHere(loadBase),
    backend: tinyBackend(inProcess(folders.root, loadBase)),
    openStore: (now) => openStoreHere(database, now),
    cookieFor: () => undefined,
  });
  return { ...services, checkpoints: folders.root };
}
