/** `pnpm run docs [part]`: the site. pnpm has a command `docs` of its own. */
import { runPart } from "@trainyard/terminal/parts";

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
      file: new URL("pictures.ts", import.meta.url),
    },
  },
  "serve",
);
