/** `pnpm dev`: clients, mocks and references follow each save under `openapi/`, until Ctrl-C. */
import { textTable } from "@trainyard/terminal/table";
import { root } from "../places.ts";
import { startSession } from "./session.ts";
import { referenceLine, styleLines, turnLines } from "./messages.ts";

const port = 4010;

if (process.argv.includes("--help")) {
  console.log("pnpm dev: clients, mocks and references follow each save under openapi/, until Ctrl-C.");
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
  referencePort: 4012,
  turned: (turn) => say(turnLines(turn)),
  judged: (problems) => say(styleLines(problems)),
  shown: (service, ms) => say([referenceLine(service, ms)]),
});
const { mock, reference } = session;
say([
  "",
  ...(mock.port === port ? [] : [`Port ${port} is in use; the mocks are on port ${mock.port}.`]),
  ...textTable([...Object.entries(mock.addresses), ["reference", reference.url]]).map((line) => `  ${line}`),
  "",
  "Save a file under openapi/ to see what changes. Press Ctrl-C to stop.",
]);

await ended;
await session.close();
say(["", "The mocks and the references have stopped."]);
