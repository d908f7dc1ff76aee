import { fileURLToPath } from "node:url";

/** `trainyard`, as a command that needs no PATH. */
export function ownCommand(): [string, ...string[]] {
  const source = import.meta.url.endsWith(".ts");
  const cli = fileURLToPath(new URL(source ? "../cli.ts" : "../cli.js", import.meta.url));
  // SQLite, which keeps locks, is called experimental by Node.js 24.
  const flags = ["--disable-warning=ExperimentalWarning", ...(source ? ["--conditions=@trainyard/source"] : [])];
  return [process.execPath, ...flags, cli];
}
