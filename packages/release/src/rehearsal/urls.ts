import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { install, pastProxies } from "../lib/npm.ts";
import { runLine } from "../lib/run.ts";
import { type Steps, Unavailable, unreachable } from "../lib/steps.ts";
import { packClients } from "../pack/clients.ts";
import type { Entry } from "../pack/manifest.ts";

/** Packs the clients for another repository, and serves them while `work` runs. */
async function withPackedClients(folder: string, work: (entries: readonly Entry[]) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const file = join(folder, basename(request.url ?? ""));
    const found = existsSync(file);
    response.writeHead(found ? 200 : 404, { "content-type": "application/octet-stream" });
    response.end(found ? readFileSync(file) : undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    await work(packClients({ out: folder, baseUrl: `http://127.0.0.1:${port}/files` }).packages);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type Manager = keyof Entry["install"];

/**
 * Runs the command that installs a package in an empty program, and imports the package there. @param bun the folder of
 * Bun's command
 */
async function runInstallLine(entry: Entry, manager: Manager, folder: string, bun: () => string): Promise<void> {
  if (manager === "pnpm" && process.platform === "win32")
    throw new Unavailable("The command is written for a POSIX shell. This shell quotes differently.");
  const path = manager === "bun" ? { PATH: `${bun()}:${process.env["PATH"]}` } : {};
  const env = { ...pastProxies(), ...path };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await runLine(entry.install[manager], { cwd: folder, env });
  // Each lockfile contains the integrity that the manifest states.
  const lockfile = readFileSync(join(folder, lockfiles[manager]), "utf8");
  if (!lockfile.includes(entry.integrity))
    throw new Error(`${lockfiles[manager]} does not hold ${entry.name} to ${entry.integrity}.`);
  writeFileSync(join(folder, "program.js"), `console.log(Object.keys(await import("${entry.name}")).length > 0);\n`);
  await runLine(`"${process.execPath}" program.js`, { cwd: folder });
}

const lockfiles = { npm: "package-lock.json", pnpm: "pnpm-lock.yaml", bun: "bun.lock" } as const;

/** Installs Bun from the npm registry. @returns the folder of its command */
function obtainBun(folder: string): string {
  try {
    install(folder, { dependencies: { bun: "1" } });
  } catch (cause) {
    throw new Unavailable("npm cannot install bun@1 here.", { cause });
  }
  return join(folder, "node_modules/.bin");
}

const tried = [
  ["@trainyard/training", "npm"],
  ["@trainyard/training", "pnpm"],
  ["@trainyard/training", "bun"],
  // It depends on most of the others.
  ["@trainyard/server", "npm"],
] as const;

/** Checks that another repository can install the packed clients with the commands of the manifest. */
export async function tryLines(steps: Steps, temporary: string, online: boolean): Promise<void> {
  await withPackedClients(join(temporary, "clients"), async (entries) => {
    for (const [name, manager] of tried) {
      const what = `${name}: install from URLs with ${manager}`;
      const entry = entries.find((one) => one.name === name);
      if (entry === undefined) throw new Error(`${name} was not packed.`);
      const folder = join(temporary, "lines", manager, entry.file);
      if (online)
        await steps.take(what, () => runInstallLine(entry, manager, folder, () => obtainBun(join(temporary, "bun"))));
      else steps.skip(what, unreachable);
    }
  });
}
