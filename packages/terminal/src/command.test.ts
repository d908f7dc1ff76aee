import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { startCommand, UsageError } from "./command.ts";

const manifest = { name: "@shop/server", version: "1.2.3", bin: { shop: "./dist/cli.js" }, engines: { node: ">=24" } };

/** Starts a command of a package under a simulated version of Node. */
async function start(node: string, ...args: string[]) {
  return startWith(async () => undefined, node, ...args);
}

async function startWith(run: () => Promise<void>, node: string, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-command-"));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const output = { out: "", err: "", ran: "", code: process.exitCode };
  const log = vi.spyOn(console, "log").mockImplementation((text) => void (output.out += String(text)));
  const error = vi.spyOn(console, "error").mockImplementation((text) => void (output.err += String(text)));
  const before = [process.argv, process.exitCode] as const;
  process.argv = ["node", "cli.js", ...args];
  onTestFinished(() => rmSync(folder, { recursive: true }));
  try {
    const url = pathToFileURL(join(folder, "dist/cli.js")).href;
    await startCommand(url, async (given) => ((output.ran = given.join(" ")), run()), node);
    return { ...output, code: process.exitCode };
  } finally {
    [process.argv, process.exitCode] = before;
    log.mockRestore();
    error.mockRestore();
  }
}

it.each(["24.0.0", "26.1.0", "100.0.0"])("runs the command on Node %s", async (node) => {
  expect(await start(node, "serve", "--port", "0")).toMatchObject({ out: "", err: "", ran: "serve --port 0" });
});

it.each(["22.23.3", "20.20.2", "8.0.0"])("prints the required version on Node %s", async (node) => {
  expect(await start(node, "serve", "--help")).toEqual({
    out: "",
    err: `shop needs Node 24 or newer; this is Node ${node}. With a newer one: npx -y -p node@24 -p @shop/server shop serve --help`,
    ran: "",
    code: 1,
  });
});

it.each([
  new UsageError("There is no option --x."),
  Object.assign(new Error("pets.yaml\n  This file does not exist."), { name: "DocumentError" }),
])("exits with 2 if what was typed is at fault: %s", async (error) => {
  const run = async () => {
    throw error;
  };
  expect(await startWith(run, "24.0.0")).toMatchObject({ err: error.message, code: 2 });
});

it.each(["24.0.0", "18.0.0"])("prints its version on Node %s", async (node) => {
  expect(await start(node, "--version")).toMatchObject({ out: "1.2.3", err: "", ran: "" });
});

/** Starts a command whose reader closes a stream after the first piece, and returns the code and the rest of the output. */
async function closed(stream: "stdout" | "stderr", run: string) {
  const program = `const { startCommand, daemon } = await import(${JSON.stringify(import.meta.resolve("./command.ts"))});
    const write = () => new Promise((done) => process.${stream}.write("a line\\n", () => setImmediate(done)));
    await startCommand(${JSON.stringify(import.meta.url)}, async () => { ${run} });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  child[stream].once("data", () => child[stream].destroy());
  const rest = text(stream === "stdout" ? child.stderr : child.stdout);
  const [code] = await once(child, "close");
  return { code, rest: await rest };
}

it.each(["stdout", "stderr"] as const)("ends as after a signal if the reader closes %s", async (stream) => {
  const endless = 'process.once("SIGTERM", () => process.exit(0)); for (;;) await write();';
  expect(await closed(stream, endless)).toEqual({ code: 0, rest: "" });
});

it.each([
  ["stdout", "stderr"],
  ["stderr", "stdout"],
] as const)("goes on as a daemon if the reader closes %s, and the terminal of another ends", async (stream, other) => {
  const serving = `const { stopped, lost } = daemon();
    const alive = setInterval(() => undefined, 1000);
    for (let at = 0; at < 100; at++) await write();
    process.kill(process.pid, "SIGHUP");
    for (let at = 0; at < 100; at++) await write();
    process.kill(process.pid, "SIGTERM");
    await stopped;
    clearInterval(alive);
    process.${other}.write(lost() > 0 ? "some lines were lost" : "all lines were written");`;
  expect(await closed(stream, serving)).toEqual({ code: 0, rest: "some lines were lost" });
});

it.each([0, 1])("runs to its end with its code %d if the reader closes the output", async (code) => {
  const verdict = `for (let at = 0; at < 100; at++) await write(); console.error("done"); process.exitCode = ${code};`;
  expect(await closed("stdout", verdict)).toEqual({ code, rest: "done\n" });
});
