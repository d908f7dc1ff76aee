/**
 * The references as Markdown. A worker: it takes seconds of one core, while the pages are built on another.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { createMarkdownFromOpenApi } from "@scalar/openapi-to-markdown";
import { decorateText } from "../reference/decorate.ts";
import { anchorName, documents, operationObjects } from "../reference/document.ts";
import { stringAt } from "../reference/json.ts";

/** Markdown by its path in the site: `reference/training.md`, `reference/training/models.log.md`. */
export type Texts = Readonly<Record<string, string>>;

/** Begins to write the references as Markdown. */
export function referenceTexts(): Promise<Texts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

async function write(): Promise<Texts> {
  const texts: Record<string, string> = {};
  for (const document of documents()) {
    const decorated = decorateText(document);
    const version = stringAt(decorated, "openapi") ?? "";
    // Scalar reads every document as the newest version of OpenAPI, and says so.
    const mend = (text: string): string => text.replace(/(\*\*OpenAPI Version:\*\* `)[^`]*/, `$1${version}`);
    texts[`reference/${document.service}.md`] = mend(await createMarkdownFromOpenApi(decorated));
    for (const { operation } of operationObjects(decorated)) {
      const operationId = stringAt(operation, "operationId") ?? "";
      const text = await createMarkdownFromOpenApi(decorated, { operation: { operationId } });
      texts[`reference/${document.service}/${anchorName(operation)}.md`] = mend(text);
    }
  }
  return texts;
}

if (!isMainThread) parentPort?.postMessage(await write());
