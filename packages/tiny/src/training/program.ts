import { fileURLToPath } from "node:url";

/** The command that trains the tiny model: one job on standard input, its events on standard output. */
export function tinyTrainer(): [string, ...string[]] {
  const source = import.meta.url.endsWith(".ts");
  const cli = fileURLToPath(new URL(source ? "../cli.ts" : "../cli.js", import.meta.url));
  return [process.execPath, ...(source ? ["--conditions=@trainyard/source"] : []), cli, "train"];
}
