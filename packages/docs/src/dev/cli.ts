/** `pnpm dev`: clients, mocks and the site follow each save under `openapi/`, until Ctrl-C. */
import { textTable } from "@trainyard/terminal/table";
import { dev } from "astro";
import { writeFacts } from "../build/facts.ts";
import { root, site } from "../places.ts";
import { services } from "../reference/services.ts";
import { startSession } from "./session.ts";
import { styleLines, turnLines } from "./messages.ts";

const port = 4010;

if (process.argv.includes("--help")) {
  console.log("pnpm dev: clients, mocks and the site follow each save under openapi/, until Ctrl-C.");
  process.exit();
}

function say(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

const ended = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});

const session = await startSession(root, {
  port,
  turned: async (turn) => {
    say(turnLines(turn));
    // The pages that import them are reloaded.
    if (turn.report !== undefined) await writeFacts(services());
  },
  judged: (problems) => say(styleLines(problems)),
});
process.env["ASTRO_TELEMETRY_DISABLED"] = "1";
process.env["ASTRO_DISABLE_UPDATE_CHECK"] = "true";
const pages = await dev({
  root: site,
  logLevel: "error",
  devToolbar: { enabled: false },
  server: { host: "127.0.0.1", port: 4012 },
});
const { mock } = session;
say([
  "",
  ...(mock.port === port ? [] : [`Port ${port} is in use; the mocks are on port ${mock.port}.`]),
  ...textTable([
    ...Object.entries(mock.addresses),
    ["references", `http://127.0.0.1:${pages.address.port}/reference/`],
  ]).map((line) => `  ${line}`),
  "",
  "Save a file under openapi/ to see what changes. Press Ctrl-C to stop.",
]);

await ended;
await Promise.all([session.close(), pages.stop()]);
say(["", "The mocks and the site have stopped."]);
