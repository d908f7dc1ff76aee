import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/** What a run of Redocly's command printed, and how it ended. */
export interface Run {
  readonly code: number | null;
  readonly text: string;
}

/** Runs Redocly's command in a folder. */
export type Redocly = (args: readonly string[], cwd: string) => Promise<Run>;

/** What its command runs with: no colors, and no questions to the network. */
export function redoclyEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
}

/** Runs Redocly's command in a process of its own. An aborted run rejects with an `AbortError`. */
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
