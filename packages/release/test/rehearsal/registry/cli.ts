/** A registry on loopback, in a process of its own: `cli.ts FOLDER`. Prints its address once it responds. */
import { Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../../src/lib/workspace.ts";

/** The part of its API that is used here. Its own types exist only after it is installed. */
interface Verdaccio {
  runServer: (config: object) => Promise<unknown>;
}

function isVerdaccio(value: unknown): value is Verdaccio {
  return typeof value === "object" && value !== null && "runServer" in value && typeof value.runServer === "function";
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("Name the folder of the published packages.");
const { resolve } = createRequire(join(root, "packages/release/tools/registry/package.json"));
const verdaccio: unknown = await import(pathToFileURL(resolve("verdaccio")).href);
if (!isVerdaccio(verdaccio)) throw new Error("verdaccio no longer exports `runServer`. Update this file.");
const server = await verdaccio.runServer({
  configPath: join(folder, "config.yaml"),
  storage: join(folder, "storage"),
  auth: { htpasswd: { file: join(folder, "users") } },
  // It has no upstream registry, so it has only what was published to it.
  uplinks: {},
  packages: Object.fromEntries(
    ["trainyard", "@trainyard/*"].map((name) => [name, { access: "$all", publish: "$all" }]),
  ),
  web: { enable: false },
  log: { type: "stdout", format: "json", level: "error" },
});
if (!(server instanceof Server))
  throw new Error("verdaccio no longer returns a server of node:http. Update this file.");
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}/`);
});
