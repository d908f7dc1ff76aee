/** `pnpm run docs`: serves the built site on this machine, near port 4011, until Ctrl-C. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dist } from "../places.ts";
import { listen, siteServer } from "./server.ts";

if (!existsSync(join(dist, "index.html"))) await import("../build/index.ts");
const server = siteServer({ folder: dist });
console.log(`The site is at ${await listen(server, 4011)}/ (press Ctrl-C to stop).`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
