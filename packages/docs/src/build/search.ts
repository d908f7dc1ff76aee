/** The records of the search: those of the references, and one for each page of text. */
import { plainText, type SearchRecord } from "../reference/records.ts";
import { put } from "./files.ts";
import type { Twin } from "./twins.ts";

/** Pages that only list what has records of its own. */
const lists = /^\/(?:guides\/|(?:operations|packages|contract\/basis|reference\/.*)\/)$/;
const services = /^\/reference\/[^/]+\/$/;

/** Writes `search.json`, which the search loads when it opens. */
export function writeSearch(folder: string, twins: readonly Twin[], records: readonly SearchRecord[]): void {
  const pages = twins.filter(
    ({ address }) => address !== "/" && (!address.startsWith("/reference/") || services.test(address)),
  );
  put(folder, "search.json", JSON.stringify([...pages.map(pageRecord), ...records]));
}

function pageRecord({ address, title, description, sections, code }: Twin): SearchRecord {
  const [, folder = ""] = /^\/([^/]+)\//.exec(address) ?? [];
  const kind = { guides: "guide", concepts: "concept", contract: "contract", decisions: "decision" }[folder] ?? "page";
  return {
    url: address,
    title,
    kind,
    where: "",
    text: plainText(description),
    words: [],
    ...(!lists.test(address) && {
      sections: sections.map((section) => ({ ...section, text: plainText(section.text) })),
      code,
    }),
  };
}
