/** `pnpm run docs [part]`: the site. pnpm has a command `docs` of its own. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runPart } from "@trainyard/terminal/command";
import { root } from "./places.ts";

await runPart(
  "pnpm run docs",
  {
    serve: {
      does: "builds the site where it is stale, and serves it",
      file: new URL("serve/cli.ts", import.meta.url),
    },
    build: { does: "builds the site", file: new URL("build/index.ts", import.meta.url) },
    pictures: {
      does: "takes the pictures of the README and of the first page, of a model that learns (needs Chromium)",
      file: pathToFileURL(join(root, "scripts/pictures.ts")),
    },
  },
  "serve",
);
