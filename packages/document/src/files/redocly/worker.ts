/**
 * Runs Redocly's command repeatedly in one process. Each run imports the command anew, and is over when the event loop is
 * empty, which is when a separate process would have ended.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Job } from "./command.ts";

const home = process.cwd();
const command = pathToFileURL(createRequire(import.meta.url).resolve("@redocly/cli/lib/index.js")).href;
let runs = 0;
let running = false;
let text = "";
let status = 0;

const write = (chunk: string | Uint8Array): boolean => {
  text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  return true;
};
process.stdout.write = write;
process.stderr.write = write;
Object.defineProperty(process, "exit", { value: (code?: number) => (status = code ?? status) });

process.on("message", ({ args, cwd }: Job) => {
  [running, text, status] = [true, "", 0];
  process.exitCode = 0;
  process.argv = [process.execPath, "redocly", ...args];
  process.chdir(cwd);
  // The channel to the parent would keep the event loop busy.
  process.channel?.unref();
  import(`${command}?run=${++runs}`).catch((error: unknown) => {
    write(String(error));
    status = 1;
  });
});

process.on("beforeExit", () => {
  if (!running) return;
  // Redocly sets its exit code at this same event.
  setImmediate(() => {
    running = false;
    // The folder of the run may be removed.
    process.chdir(home);
    process.channel?.ref();
    process.send?.({ code: status || Number(process.exitCode ?? 0), text });
  });
});
