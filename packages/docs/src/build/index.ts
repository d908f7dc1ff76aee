/**
 * `pnpm run docs build [--site <address>]`: builds the references from the documents and the pages from the guides. From both it makes downloads,
 * Markdown twins, the search index, relative addresses and policies. It writes everything to `dist`, as static files, at the end:
 * what is served from there is a whole site or none. With the address at which it will be published, each page names its own, and
 * search engines get a list. That of GitHub Pages is known from the address of the repository.
 */
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { readHome, siteOf } from "@trainyard/release/home";
import { build } from "astro";
import { buildPage } from "../page/build/build.ts";
import { cache, dist, page, site } from "../places.ts";
import { exportRecords, recordsOf } from "../reference/records.ts";
import { services } from "../reference/services.ts";
import { addAddresses, readSite, writeMoved } from "./addresses.ts";
import { writeFacts } from "./facts.ts";
import { put, rewrite } from "./files.ts";
import { addPolicies } from "./policy.ts";
import { makeRelative } from "./relative.ts";
import { writeSearch } from "./search.ts";
import { writeTwins } from "./twins.ts";

// The site is also built by the command that serves it, and by tests, which have arguments of their own.
const args = process.argv[1] === import.meta.filename ? process.argv.slice(2) : [];
const { values } = readArguments({ args, options: { site: { type: "string" } } });
const address = values.site === undefined ? siteOf(readHome()) : readSite(values.site);

const start = performance.now();
const since = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
process.env["ASTRO_TELEMETRY_DISABLED"] = "1";

const building = join(cache, "site");
rmSync(building, { recursive: true, force: true });

const all = services();
await writeFacts(all);
console.log(`references drawn         ${since()}`);

// Nothing of the site imports the code that runs samples in a page.
await buildPage(page);
console.log(`code of pages built      ${since()}`);

await build({ root: site, outDir: building, logLevel: "error" });
console.log(`pages built              ${since()}`);

for (const { name, document, json, yaml } of all) {
  put(building, `openapi/${name}/${document.version}/openapi.json`, json);
  put(building, `openapi/${name}/${document.version}/openapi.yaml`, yaml);
}
const twins = await writeTwins(building, all);
console.log(`Markdown twins written   ${since()}`);

writeSearch(building, twins, [...all.flatMap(recordsOf), ...exportRecords()]);
// Wide content scrolls inside the page on a small screen. The keyboard must reach it, even before any script has run.
rewrite(building, "**/*.html", (text) =>
  text
    .replaceAll("<table>", '<table tabindex="0">')
    .replaceAll("<pre data-language", '<pre tabindex="0" data-language'),
);
writeMoved(building);
makeRelative(building, address === undefined ? "/" : new URL(address).pathname);
if (address !== undefined) addAddresses(building, address);
addPolicies(building);
// The page of this code has a policy of its own.
cpSync(page, join(building, "page"), { recursive: true });
rmSync(dist, { recursive: true, force: true });
renameSync(building, dist);
console.log(`${twins.length} pages and ${all.length} references in packages/docs/dist after ${since()}`);
