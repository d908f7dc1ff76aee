import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/** The output and the result of Redocly's command. */
export interface Run {
  readonly code: number | null;
  readonly text: string;
}

/** Runs Redocly's command in a folder. */
export type Redocly = (args: readonly string[], cwd: string) => Promise<Run>;

/** The environment of the command: no colors, no requests to the network. */
export function redoclyEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
}

/** Runs Redocly's command in a new process. An aborted run rejects with an `AbortError`. */
export function redocly(args: readonly string[], cwd: string, signal?: AbortSignal): Promise<Run> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: redoclyEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal !== undefined && { signal }),
  });
  return new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.once("error", fail);
    child.once("close", (code) => done({ code, text }));
  });
}
