/** The addresses of the site: those that moved, and what a site needs that is published at an address of its own. */
import { posix } from "node:path";
import { put, rewrite } from "./files.ts";

/** Pages that were published and moved or were deleted, with the page that has their content now. Never delete an entry. */
export const moved: Readonly<Record<string, string>> = {
  "/reference/training/create_chat_completion_alias_v1_chat_completions__post/":
    "/reference/training/chat.completions.create/",
  "/decisions/26-search/": "/decisions/27-search/",
};

/** The address at which a site will be published, with a slash at its end. It ends the program with a sentence if it is none. */
export function readSite(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    console.error(
      `--site must be the absolute http(s) address at which the site is published, such as https://host.example/docs/, and not "${address}". Nothing was written.`,
    );
    process.exit(1);
  }
  return `${url.origin}${url.pathname.replace(/\/*$/, "/")}`;
}

/** Writes a page at each address that moved, which leads on. */
export function writeMoved(folder: string): void {
  for (const [from, to] of Object.entries(moved)) {
    const path = posix.relative(from, to);
    const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><title>Moved to ${to}</title><meta name="robots" content="noindex" />
<meta http-equiv="refresh" content="0; url=${path}/" /></head>
<body><p>This page is now at <a href="${path}/">${to}</a>.</p></body></html>
`;
    put(folder, `${from.slice(1)}index.html`, text);
  }
}

/** Adds to each page what names its address, and writes the list of all pages for search engines. */
export function addAddresses(folder: string, site: string): void {
  const addresses: string[] = [];
  rewrite(folder, "**/*.html", (text, path) => {
    // It is served for any address.
    const page = path === "404.html" ? undefined : path.replace(/index\.html$/, "");
    if (page !== undefined && `/${page}` in moved) return text;
    const picture = `<meta property="og:image" content="${site}pictures/learning-light.webp"/>`;
    if (page === undefined) return text.replace("</head>", `${picture}</head>`);
    const address = site + page;
    addresses.push(address);
    const names = `<link rel="canonical" href="${address}"/><meta property="og:url" content="${address}"/>`;
    return text.replace("</head>", `${names}${picture}</head>`);
  });
  const entries = addresses.toSorted().map((address) => `<url><loc>${address}</loc></url>`);
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  put(folder, "sitemap.xml", `${[head, ...entries, "</urlset>"].join("\n")}\n`);
  put(folder, "robots.txt", `User-agent: *\nAllow: /\nSitemap: ${site}sitemap.xml\n`);
}
