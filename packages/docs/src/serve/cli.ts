/** `pnpm run docs`: serves the built site on this machine, near port 4011, until Ctrl-C. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dist } from "../places.ts";
import { serveSite } from "./server.ts";

if (!existsSync(join(dist, "index.html"))) await import("../build/index.ts");
const { home } = await serveSite(4011);
console.log(`The site is at ${home} (press Ctrl-C to stop).`);
