/** Serves the local server with the site on one port, tells its story, and stays up until Ctrl-C. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import { createServer } from "@trainyard/server";
import { startTiny } from "@trainyard/tiny";
import { tellStory } from "./story.ts";

const root = join(import.meta.dirname, "../..");
const port = 4010;

const checkpoints = await mkdtemp(join(tmpdir(), "trainyard-start-"));
// A model that learns, behind the two seams that anyone's own can stand behind.
const tiny = await startTiny({ checkpoints });
const server = createServer({
  keys: [{ key: "a-key-for-this-machine", entity: "harbor" }],
  backend: { url: tiny.url },
  trainer: { command: tiny.command },
  checkpoints,
  site: join(root, "packages/docs/dist"),
});
const url = await listen();
const site = buildSite();

process.once("SIGINT", stop);
process.once("SIGTERM", stop);

await tellStory(server);
await importLessons();

console.log(`
${styleText("bold", "The services are up")}, with state that ends with this program:
  training   ${url}
  inference  ${url}/inference/v1
  auxiliary  ${url}/auxiliary
  key        ${server.keys[0]?.key}

Where to go next:
  README.md            the packages, and one example for each service
  packages/samples     programs to copy from
  openapi/README.md    how to change the contract
  ${url}/docs/  guides and references (being built, about half a minute the first time)

Press Ctrl-C to stop.`);

/** At the usual port, or at a free one where that is taken. */
async function listen(): Promise<string> {
  try {
    return await server.listen({ port });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    const free = await server.listen({ port: 0 });
    console.log(`Port ${port} is taken, so the services listen at ${free} instead.`);
    return free;
  }
}

/** What the sample `learning/sft.ts` teaches. */
async function importLessons(): Promise<void> {
  const file = join(root, "packages/samples/programs/learning/timetable.jsonl");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const lessons = lines.map((line): object => JSON.parse(line));
  await server.import("artifacts", lessons, { as: "artifact:///harbor/support-desk/timetable:v1" });
}

/** Builds the site meanwhile, from turbo's cache where nothing changed. */
function buildSite(): ReturnType<typeof spawn> {
  const args = ["run", "build", "--filter=@trainyard/docs", "--output-logs=errors-only", "--ui=stream"];
  const build = spawn("turbo", args, { cwd: root, stdio: "ignore", shell: process.platform === "win32" });
  build.once("exit", (code, signal) => {
    if (signal !== null) return;
    if (code === 0) console.log(`The site is ready: ${url}/docs/`);
    else console.error("The site could not be built. `npx -y pnpm@12 docs:build` says why; the services are up.");
  });
  build.once("error", (error) => console.error(`The site could not be built: ${error.message}`));
  return build;
}

function stop(): void {
  site.kill();
  void end().then(() => console.log("\nThe services have stopped."));
}

async function end(): Promise<void> {
  await server.close();
  await tiny.close();
  await rm(checkpoints, { recursive: true, force: true });
}
