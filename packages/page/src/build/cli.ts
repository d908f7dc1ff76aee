/** Builds what the site's pages load with their first run into `dist`. */
import { join } from "node:path";
import { buildPage } from "./build.ts";

await buildPage(join(import.meta.dirname, "../../dist"));
