/** A process that examines one document after the other, and sends what it counted. */
import { join } from "node:path";
import type { Stranger } from "../corpus.ts";
import { examine } from "../examine.ts";

const [clients = ""] = process.argv.slice(2);

process.on("message", async (stranger: Stranger) => {
  process.send?.(await examine(stranger, join(clients, stranger.name)));
});
