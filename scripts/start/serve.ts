/** Serves the local server with the site on one port, tells its story, and stays up until Ctrl-C. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { styleText } from "node:util";
import { createServer } from "@trainyard/server";
import { tellStory } from "./story.ts";

const root = join(import.meta.dirname, "../..");
const port = 4010;

const server = createServer({
  keys: [{ key: "a-key-for-this-machine", entity: "harbor" }],
  site: join(root, "packages/docs/dist"),
});
const url = await listen();
const site = buildSite();

process.once("SIGINT", stop);
process.once("SIGTERM", stop);

await tellStory(server);

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
  void server.close().then(() => console.log("\nThe services have stopped."));
}
