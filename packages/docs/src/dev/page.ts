import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html, type Html } from "../reference/html.ts";
import type { ReferencePage } from "../reference/page.ts";
import { linksOf, pagesOf } from "../reference/pages.ts";
import { serviceOf, type Service } from "../reference/services.ts";

const styles: Readonly<Record<string, string>> = {
  "/theme.css": import.meta.resolve("@trainyard/console/theme.css"),
  "/site.css": new URL("../styles/site.css", import.meta.url).href,
  "/reference.css": new URL("../styles/reference.css", import.meta.url).href,
};

/** The page of the reference at an address such as `/reference/training/`; undefined where there is none. */
export function referencePage(name: string, bundleFile: string, address: string): string | undefined {
  const service = serviceOf(name, readFileSync(bundleFile, "utf8"), bundleFile);
  const page = pagesOf(service).get(address)?.();
  return page && framed(service, page, follow(service)).text;
}

/** Colors and sizes that the site gets from its framework. */
const base = `:root{--__sl-font:var(--sl-font);--__sl-font-mono:var(--sl-font-mono);--sl-nav-height:0rem;
--sl-color-text:var(--sl-color-gray-2);--sl-color-text-accent:var(--sl-color-accent-high)}
body{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2rem;max-width:96rem;margin:0 auto;padding:1.5rem;
background:var(--sl-color-black);color:var(--sl-color-text);font-family:var(--__sl-font)}
.reference .chosen>details>summary{display:revert}.reference .chosen>select{display:none}
h1{margin:0 0 1rem;color:var(--sl-color-white)}nav{font-size:.875rem}nav a{color:inherit}nav ul{padding-left:1rem}
@media(max-width:50rem){body{display:block}}`;

/** Light or dark, as the reader's system prefers. */
const theme = `document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";`;

const script = `${theme}
// The scroll position and the fragment stay the same.
new EventSource(document.currentScript.dataset.events).onmessage = () => location.reload();`;

function follow({ name }: Service): Html {
  return html`<script src="/follow.js" data-events="/${name}/events"></script>`;
}

/** A page in a simple frame; `end` is inserted at its bottom. */
function framed(service: Service, { heading, title, intro, samples, request, rest }: ReferencePage, end: Html): Html {
  const shown = samples.map(
    ({ label, source }, index) =>
      html`<details name="samples" ${index === 0 && "open"}><summary>${label}</summary>
        <div class="pick"><pre tabindex="0"><code>${source}</code></pre></div></details>`,
  );
  const groups = linksOf(service).map(
    (group) =>
      html`<p>${group.title}</p><ul>${group.links.map(({ label, address }) => html`<li><a href="${address}">${label}</a></li>`)}</ul>`,
  );
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">
    ${sheets.map((address) => html`<link rel="stylesheet" href="${address}">`)}</head>
    <body><nav aria-label="Operations"><a href="/reference/${service.name}/">Overview</a>${groups}</nav>
    <main class="reference"><h1>${heading}</h1><section class="row"><div class="said">${intro}</div>
    ${shown.length > 0 && html`<div class="shown"><div class="picks">${shown}</div></div>`}
    ${request !== false && html`<div class="said">${request}</div>`}</section>${rest}</main>${end}</body></html>`;
}

/** The addresses of the style sheets that a page loads. */
const sheets: readonly string[] = [...Object.keys(styles), "/base.css"];

/** The files that a page loads, by address, with their type. */
export function pageFile(address: string): { readonly type: string; readonly text: string } | undefined {
  if (address === "/base.css") return { type: "text/css", text: base };
  if (address === "/follow.js") return { type: "text/javascript", text: script };
  const file = styles[address];
  return file === undefined ? undefined : { type: "text/css", text: readFileSync(fileURLToPath(file), "utf8") };
}
