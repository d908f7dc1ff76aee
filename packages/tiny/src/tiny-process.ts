import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The tiny model, plugged into both seams of a local server from a process of its own. */
export interface TinyProcess {
  /** The chat server's base URL, for `backend` of `createServer`. */
  readonly url: string;
  /** The program that trains, for `trainer` of `createServer`. */
  readonly command: readonly [string, ...string[]];
  /** Ends the chat server, and resolves once it has ended. */
  close(): Promise<void>;
}

/**
 * Starts the chat server as a process, at a free port: what the model does never keeps the one who asks waiting for its own
 * work.
 *
 * @param checkpoints the folder in which the local server keeps checkpoints
 * @throws Error where it does not start
 */
export async function startTiny({ checkpoints }: { checkpoints: string }): Promise<TinyProcess> {
  const cli = fileURLToPath(new URL("cli.ts", import.meta.url));
  const command = [process.execPath, "--conditions=@trainyard/source", cli] as const;
  const [node, ...args] = [...command, "serve", "--port", "0", "--checkpoints", checkpoints];
  // By the channel it sees that whoever started it is gone, however that ended.
  const child = spawn(node, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const exit = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const close = (): Promise<void> => {
    child.kill();
    return exit;
  };
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`The tiny model's chat server ended with ${code} before it was up.`)),
    );
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, url] = /^chat\s+(\S+)/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  return { url, command: [...command, "train"], close };
}
