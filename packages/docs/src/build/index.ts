/**
 * `pnpm docs:build`: the references from the documents, the pages from the guides, and what is made from both: downloads, Markdown
 * twins, the index of the search, relative addresses, the policies. Everything lands in `dist`, as static files.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readReleases } from "@trainyard/release/releases";
import { build } from "astro";
import { cache, dist, root, site } from "../places.ts";
import { readBasis } from "../reference/basis.ts";
import { documents } from "../reference/document.ts";
import { renderReferences } from "../reference/render.ts";
import { factsOf } from "./facts.ts";
import { put } from "./files.ts";
import { addPolicies } from "./policy.ts";
import { makeRelative } from "./relative.ts";
import { referenceTexts } from "./reference-text.ts";
import { indexSite } from "./search.ts";
import { reachWideParts } from "./reach.ts";
import { writeTwins } from "./twins.ts";

const start = performance.now();
const since = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
process.env["ASTRO_TELEMETRY_DISABLED"] = "1";

rmSync(dist, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });

const all = documents();
const texts = referenceTexts();
const basis = readBasis(all);
const files = new Map<string, string>();
const facts = factsOf(all, renderReferences(all, files), await basis, readReleases(root));
writeFileSync(join(cache, "site.json"), JSON.stringify(facts));
console.log(`references rendered      ${since()}`);

await build({ root: site, logLevel: "error" });
console.log(`pages built              ${since()}`);

for (const [name, text] of files) put(dist, `reference/${name}`, text);
for (const { service, version, json, yaml } of all) {
  put(dist, `openapi/${service}/${version}/openapi.json`, json);
  put(dist, `openapi/${service}/${version}/openapi.yaml`, yaml);
}
await writeTwins(dist, all, await texts);
console.log(`Markdown twins written   ${since()}`);

const pages = await indexSite(dist, all);
reachWideParts(dist);
makeRelative(dist, process.env["DOCS_HOME"] ?? "/");
addPolicies(dist);
console.log(`${pages} pages and ${all.length} references in packages/docs/dist after ${since()}`);
