import { join } from "node:path";

/** The workspace's root, the site's package, and what the build reads and writes. Absolute paths. */
export const root: string = join(import.meta.dirname, "../../..");
export const site: string = join(root, "packages/docs");
export const samples: string = join(root, "packages/samples");
/** The built site: static files, which can be served from any folder of any file server. */
export const dist: string = join(site, "dist");
/** The reference pages, between the steps of a build. */
export const cache: string = join(site, ".cache");
/** The code that runs samples in a page: `src/page`, built. */
export const page: string = join(cache, "page");
