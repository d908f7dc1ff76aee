/** One index for the guides' pages and the references' operations. */
import { join } from "node:path";
import { close, createIndex } from "pagefind";
import type { Document, Operation } from "../reference/document.ts";
import { operationsOf } from "../reference/document.ts";

function content({ summary, description, method, service, verb, path, id }: Operation): string {
  const call = method === undefined ? "" : `${service}.${method} ${method} ${method.replaceAll(".", " ")}`;
  // The parts of a path and of a name are words of their own to those who search.
  return [
    summary,
    call,
    `${verb} ${path}`,
    path.replaceAll(/[/{}_-]+/g, " "),
    description,
    id.replaceAll("_", " "),
  ].join(". ");
}

/** Writes `pagefind/` into the built site. */
export async function indexSite(folder: string, documents: readonly Document[]): Promise<number> {
  const { index, errors } = await createIndex({
    // Programs are shown beside what is said of them; the references' operations come below.
    excludeSelectors: [".expressive-code", "#redoc", ".downloads"],
  });
  if (index === undefined) throw new Error(`Pagefind made no index: ${errors.join(" ")}`);
  const pages = await index.addDirectory({ path: folder });
  for (const document of documents) {
    for (const operation of operationsOf(document)) {
      await index.addCustomRecord({
        url: `/reference/${document.service}/#${operation.anchor}`,
        content: content(operation),
        language: "en",
        meta: {
          title: operation.summary,
          verb: operation.verb,
          path: operation.path,
          service: document.service,
          text: operation.description,
        },
      });
    }
  }
  await index.writeFiles({ outputPath: join(folder, "pagefind") });
  await close();
  return pages.page_count;
}
