/** One index for the pages of the guides and the parts of the references. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { close, createIndex } from "pagefind";
import type { SearchRecord } from "../reference/records.ts";

/** Writes `pagefind/` into the built site. Returns the number of pages. */
export async function indexSite(folder: string, records: readonly SearchRecord[]): Promise<number> {
  const { index, errors } = await createIndex({
    // Code blocks are shown beside the text that describes them.
    excludeSelectors: [".expressive-code", "copy-page"],
  });
  if (index === undefined) throw new Error(`Pagefind created no index: ${errors.join(" ")}`);
  const pages = await index.addDirectory({ path: folder });
  await Promise.all(
    records.map(({ url, title, name = "", kind, where, text, words, verb }) =>
      index.addCustomRecord({
        url,
        content: [title, ...words, text].filter((part) => part !== "").join(". "),
        language: "en",
        meta: { title, name, kind, where, text, ...(verb !== undefined && { verb }) },
      }),
    ),
  );
  // Its own `writeFiles` answers before the last file is on disk, and `close` ends the process that writes.
  const { files } = await index.getFiles();
  await close();
  for (const { path, content } of files) {
    const file = join(folder, "pagefind", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return pages.page_count;
}
