import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/** What a run of Redocly's command printed, and how it ended. */
export interface Run {
  readonly code: number | null;
  readonly text: string;
}

/** Runs Redocly's command. An aborted run rejects with an `AbortError`. */
export function redocly(args: readonly string[], cwd: string, signal: AbortSignal): Promise<Run> {
  const env = {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  const child = spawn(process.execPath, [command, ...args], { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.once("error", fail);
    child.once("close", (code) => done({ code, text }));
  });
}
