import auxiliary from "@trainyard/auxiliary/openapi.json" with { type: "json" };
import inference from "@trainyard/inference/openapi.json" with { type: "json" };
import local from "@trainyard/local/openapi.json" with { type: "json" };
import { createPageServer, type PageServer } from "@trainyard/server/page";
import { TinyModel } from "@trainyard/tiny/page";
import training from "@trainyard/training/openapi.json" with { type: "json" };
import { unpackWeights } from "../weights.ts";
import { importStory, trainStory } from "./story.ts";
import { loadSqlite, WasmDatabase } from "./wasm-database.ts";

/** The keys of the page's own server, which open nothing else. */
export const key = "the-key-of-this-page";
export const controlKey = "the-control-key-of-this-page";

/** A server that is up. */
export interface Started {
  readonly services: PageServer;
  /** Resolves once the checkpoints of the story are there. */
  readonly storyWeights: () => Promise<void>;
}

/**
 * Starts the local server with what `pnpm start` serves.
 *
 * @param load gives a file of the page
 */
export async function startServer(load: (file: string) => Promise<Response>): Promise<Started> {
  const base = once(async () => {
    const { body } = await load("base.gz");
    if (body === null) throw new Error("The weights of the tiny model are empty.");
    const bytes = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    return new TinyModel(unpackWeights(new Uint8Array(bytes)));
  });
  // A copy: the caller may change it.
  const loadBase = async () => (await base()).clone();
  const sqlite = await loadSqlite(await (await load("sqlite3.wasm")).arrayBuffer());
  const services = createPageServer({
    documents: { auxiliary, inference, local, training },
    database: new WasmDatabase(sqlite),
    loadBase,
    key: { key, entity: "harbor" },
    controlKey,
  });
  await importStory(services);
  return { services, storyWeights: once(() => trainStory(services.checkpoints, loadBase)) };
}

/** What is loaded with the first who asks; again, where it failed. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
