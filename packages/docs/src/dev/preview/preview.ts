import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "@trainyard/codegen/bundle";
import { findServices } from "@trainyard/codegen/generate";
import { sourceOf } from "@trainyard/codegen/tree";
import { extractDocuments, findRevision, mergeBase, touchedServices } from "@trainyard/contract";
import { put } from "../../build/files.ts";
import { html, Html } from "../../reference/html.ts";
import type { ReferencePage } from "../../reference/page.ts";
import { pagesOf } from "../../reference/pages.ts";
import { serviceOf, type Service } from "../../reference/services.ts";
import { framed, pageFile, sheets, theme } from "../page.ts";

const kinds = [
  ["operation", "Operations"],
  ["schema", "Schemas"],
] as const;

/** At the end of each page. */
const themed: Html = new Html(`<script>${theme}</script>`);

/** A page of the reference that has changed. */
export interface ChangedPage {
  readonly service: string;
  readonly kind: ReferencePage["kind"];
  /** The name in a list of pages: `models.create`. */
  readonly label: string;
  /** From the root of the site. */
  readonly address: string;
  readonly what: "added" | "changed" | "removed";
}

/**
 * Writes the changed pages of the reference to a folder, with an `index.html` that lists them. A page has changed if it
 * differs from the commit at which the working tree left a revision, by default main. The pages need no server. If no
 * page has changed, nothing is written.
 */
export async function preview(root: string, revision: string | undefined, out: string): Promise<ChangedPage[]> {
  const old = mkdtempSync(join(tmpdir(), "trainyard-preview-"));
  try {
    const base = findRevision(root, revision);
    extractDocuments(root, mergeBase(root, base.commit), old);
    const pairs = await Promise.all(
      touchedServices(old, root).map(async (name) => [await read(old, name), await read(root, name)] as const),
    );
    const changed = pairs.flatMap(([before, now]) => changedPages(before, now));
    if (changed.length === 0) return [];
    const services = pairs.flatMap(([, now]) => (now === undefined ? [] : [now]));
    const pages = new Map(
      services.flatMap((service) =>
        [...pagesOf(service)].map(([address, page]) => [address, framed(service, page(), themed).text] as const),
      ),
    );
    const all = new Map([...pages, ["/", contents(base.name, changed).text]]);
    for (const [address, text] of all) put(out, `${address}index.html`, portable(text, address, new Set(all.keys())));
    for (const address of sheets) put(out, address, pageFile(address)?.text ?? "");
    return changed;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/** Undefined where the folder has no such service. */
async function read(root: string, name: string): Promise<Service | undefined> {
  if (!findServices(root).includes(name)) return undefined;
  return serviceOf(name, JSON.stringify(await bundle(root, sourceOf(name))), `openapi/${name}`);
}

function changedPages(before: Service | undefined, now: Service | undefined): ChangedPage[] {
  const [old, current] = [before, now].map(
    (one) => new Map(one && [...pagesOf(one)].map(([address, page]) => [address, page()])),
  );
  const service = now ?? before;
  if (old === undefined || current === undefined || service === undefined) return [];
  return [...new Map([...old, ...current]).values()].flatMap((page): ChangedPage[] => {
    const [was, is] = [old.get(page.address), current.get(page.address)];
    if (page.kind === "overview" || (was && is && textOf(was) === textOf(is))) return [];
    const what = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ service: service.name, kind: page.kind, label: page.label, address: page.address, what }];
  });
}

function textOf({ heading, intro, rest }: ReferencePage): string {
  return [heading, intro.text, rest.text].join("\n");
}

/** The list of changes by service: operations first, each with a link to its page. */
function contents(base: string, changed: readonly ChangedPage[]): Html {
  const services = [...new Set(changed.map(({ service }) => service))];
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><title>Preview of the reference</title><link rel="icon" href="data:,">
    ${sheets.map((address) => html`<link rel="stylesheet" href="${address}">`)}</head>
    <body style="display:block"><main><h1>What changes in the reference</h1><p>Compared with ${base}. The links lead to the pages as they will be.</p>
    ${services.map(
      (service) =>
        html`<h2>${service}</h2>${kinds.map(([kind, title]) =>
          group(
            title,
            changed.filter((page) => page.service === service && page.kind === kind),
          ),
        )}`,
    )}
    </main>${themed}</body></html>`;
}

function group(title: string, pages: readonly ChangedPage[]): Html | false {
  return (
    pages.length > 0 &&
    html`<h3>${title}</h3><ul>${pages.map(
      ({ label, address, what }) =>
        html`<li>${what === "removed" ? label : html`<a href="${address}">${label}</a>`} (${what})</li>`,
    )}</ul>`
  );
}

/**
 * Makes a page that can be opened from a folder without a server: its addresses become relative paths between files. A
 * link to a page that is not in the folder becomes plain text.
 *
 * @param address the address of the page, from the root of the site
 * @param pages the addresses of all pages of the folder
 */
function portable(text: string, address: string, pages: ReadonlySet<string>): string {
  const root = "../".repeat(address.split("/").length - 2) || "./";
  return text
    .replaceAll(/<link rel="stylesheet" href="\//g, `<link rel="stylesheet" href="${root}`)
    .replaceAll(/(<a\b[^>]*?) href="\/([^"#]*)(#[^"]*)?"/g, (_, tag: string, target: string, hash: string = "") =>
      pages.has(`/${target}`) ? `${tag} href="${root}${target}index.html${hash}"` : tag,
    );
}
