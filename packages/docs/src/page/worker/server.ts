import auxiliary from "@trainyard/auxiliary/openapi.json" with { type: "json" };
import inference from "@trainyard/inference/openapi.json" with { type: "json" };
import local from "@trainyard/local/openapi.json" with { type: "json" };
import { createPageServer, type PageServer } from "@trainyard/server/page";
import { TinyModel } from "@trainyard/tiny/page";
import training from "@trainyard/training/openapi.json" with { type: "json" };
import { unpackWeights } from "../weights.ts";
import { importStory, trainStory, writeStory } from "./story.ts";
import { loadSqlite, WasmDatabase } from "./wasm-database.ts";

/** The keys of the page's own server, which give access to nothing else. */
export const key = "the-key-of-this-page";
export const controlKey = "the-control-key-of-this-page";

/** Started with the first request. */
export interface Starting {
  readonly services: () => Promise<PageServer>;
  /** Resolves once the checkpoints of the story exist. They are trained while the services start. */
  readonly storyWeights: () => Promise<void>;
}

/**
 * The local server with the data of `pnpm start`.
 *
 * @param load loads a file of the page
 */
export function startServer(load: (file: string) => Promise<Response>): Starting {
  const base = once(async () => {
    const { body } = await load("base.weights");
    if (body === null) throw new Error("The weights of the tiny model are empty.");
    const bytes = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    return new TinyModel(unpackWeights(new Uint8Array(bytes)));
  });
  // A copy, because the caller may change it.
  const loadBase = async () => (await base()).clone();
  const services = once(async () => {
    // Loaded together, so that a run begins with everything that it may need, or not at all.
    const [sqlite] = await Promise.all([
      load("sqlite3.wasm").then(async (file) => loadSqlite(await file.arrayBuffer())),
      base(),
    ]);
    const server = createPageServer({
      documents: { auxiliary, inference, local, training },
      database: new WasmDatabase(sqlite),
      loadBase,
      key: { key, entity: "harbor" },
      controlKey,
    });
    await importStory(server);
    return server;
  });
  const storyWeights = once(async () => {
    const [{ checkpoints }, trained] = await Promise.all([services(), trainStory(loadBase)]);
    await writeStory(checkpoints, trained);
  });
  return { services, storyWeights };
}

/** Loads at the first call; repeated after a failure. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
