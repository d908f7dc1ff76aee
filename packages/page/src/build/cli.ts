/** Builds the files that the site's pages load at their first run into `dist`. */
import { join } from "node:path";
import { buildPage } from "./build.ts";

await buildPage(join(import.meta.dirname, "../../dist"));
