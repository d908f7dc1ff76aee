/** `pnpm bench [part]`: measures, and fails if a bar is missed. No time decides a test. */
import { runPart } from "@trainyard/terminal/parts";
import { root } from "@trainyard/release/workspace";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const inPackages = (file: string): URL => pathToFileURL(join(root, "packages", file));

await runPart(
  "pnpm bench",
  {
    clients: {
      does: "the clients against others, and the generator; `--write` keeps the table in `packages/proofs/src/bench/RESULTS.md`",
      file: new URL("clients.ts", import.meta.url),
    },
    size: {
      does: "what a browser downloads, also of named services alone; `--check` also fails if a client grew by 2 %, `--write` accepts growth below the bars",
      file: new URL("size.ts", import.meta.url),
    },
    server: {
      does: "the local server against Prism, SQL by hand and a limit program; `--write` keeps the table",
      file: inPackages("server/test/bench/bench.ts"),
    },
    console: {
      does: "the console with 10⁵ rollouts, against its bars",
      file: inPackages("server/test/bench/console.ts"),
    },
    gate: {
      does: "how often the gate is right about a change, against `redocly diff` and `api-smart-diff`",
      file: new URL("gate.ts", import.meta.url),
    },
    site: { does: "what the site costs its readers", file: inPackages("docs/src/bench/cli.ts") },
  },
  "clients",
);
