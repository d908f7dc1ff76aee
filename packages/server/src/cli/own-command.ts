import { fileURLToPath } from "node:url";

/** The command line that runs `trainyard` without looking in PATH. */
export function ownCommand(): [string, ...string[]] {
  const source = import.meta.url.endsWith(".ts");
  const cli = fileURLToPath(new URL(source ? "../cli.ts" : "../cli.js", import.meta.url));
  // Node.js 24 prints a warning that SQLite, which keeps locks, is experimental.
  const flags = ["--disable-warning=ExperimentalWarning", ...(source ? ["--conditions=@trainyard/source"] : [])];
  return [process.execPath, ...flags, cli];
}
