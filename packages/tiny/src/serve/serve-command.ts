import { setPriority } from "node:os";
import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { serveTiny } from "./serve-tiny.ts";

export const serveHelp = `trainyard tiny serve: a chat server that answers with the tiny model

  --port <number>         where to listen; 4020 by default, 0 for any that is free
  --host <address>        127.0.0.1 by default, which only this machine can reach
  --checkpoints <folder>  where the local server keeps checkpoints (its own --checkpoints, or "checkpoints" in its data folder)`;

/** Serves until the process receives a signal to stop. */
export async function serveCommand(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: {
      port: { type: "string", default: "4020" },
      host: { type: "string", default: "127.0.0.1" },
      checkpoints: { type: "string" },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port must be from 0 to 65535, not ${values.port}.`);
  }
  // On a machine with few processors, the process that forwards requests takes precedence over the one that handles
  // them.
  setPriority(10);
  const { checkpoints, host } = values;
  const server = await serveTiny({ port, host, checkpoints }).catch((error: unknown) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isTaken) throw error;
    throw new Error(`Port ${port} is in use. Choose another with --port, or any that is free with --port 0.`);
  });
  console.log(`chat       ${server.url}`);
  if (checkpoints !== undefined) console.log(`checkpoints ${checkpoints}`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.once(signal, () => resolve());
  });
  // The second signal exits at once, without waiting for open requests.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await server.close();
  // The channel to the parent process would keep this one alive.
  if (process.connected) process.disconnect();
}
