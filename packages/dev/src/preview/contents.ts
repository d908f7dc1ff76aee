import { html, Html } from "@trainyard/docs/reference";
import { sheets, theme } from "../page.ts";
import type { ChangedPage } from "./preview.ts";

const kinds = [
  ["operation", "Operations"],
  ["schema", "Schemas"],
] as const;

/** At the end of each page. */
export const themed: Html = new Html(`<script>${theme}</script>`);

/** The list of changes by service: operations first, each with a link to its page. */
export function contents(base: string, changed: readonly ChangedPage[]): Html {
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
