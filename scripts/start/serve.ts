/** Serves the local server with the site on one port, tells its story, and stays up until Ctrl-C. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { styleText } from "node:util";
import { startServices } from "@trainyard/samples/start/services";
import { tellStory } from "@trainyard/samples/start/story";

const root = join(import.meta.dirname, "../..");
const port = 4010;

const services = await startServices({
  port,
  site: join(root, "packages/docs/dist"),
  taken: (url) => console.log(`Port ${port} is taken, so the services listen at ${url} instead.`),
});
const { server, url, variables } = services;
let stopped: Promise<void> | undefined;
const site = buildSite();

process.once("SIGINT", stop);
process.once("SIGTERM", stop);
// A reader of the output that leaves, such as `head`.
process.stdout.on("error", stop);

try {
  await tellStory(server);
} catch (error) {
  if (stopped === undefined) throw error;
}

console.log(`
${styleText("bold", "The services are up")}. Their data is deleted when this program ends. Every client and sample reads these variables:

${Object.entries(variables)
  .map(([name, value]) => `  export ${name}=${value}`)
  .join("\n")}

What the run above did, in a browser:
  ${server.consoleUrl() ?? ""}

Where to go next:
  README.md            what this is, a first call, and the packages
  packages/samples     programs to copy from
  openapi/README.md    how to change the contract
  ${url}/docs/  guides and references${site.exitCode === 0 ? "" : " (being built; a line below says when they are ready)"}

Press Ctrl-C to stop.`);

/** Builds the site in the background, from turbo's cache if nothing changed. The build ends with this program, however that ends. */
function buildSite(): ReturnType<typeof spawn> {
  const build = spawn(process.execPath, [join(import.meta.dirname, "site.ts")], {
    cwd: root,
    stdio: ["pipe", "ignore", "ignore"],
  });
  build.once("exit", (code, signal) => {
    // Ctrl-C in a terminal also ends the build, whose exit code may then be 0.
    if (signal !== null || stopped !== undefined) return;
    if (code === 0) console.log(`The site is ready: ${url}/docs/`);
    else console.error("The site could not be built. `npx -y pnpm@12 run docs build` says why; the services are up.");
  });
  return build;
}

function stop(): void {
  site.stdin?.end();
  stopped ??= services.close().then(() => console.log("\nThe services have stopped."));
}
