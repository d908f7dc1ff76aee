import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Contract } from "./contract.ts";

export interface Terminal {
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Asks the user, and reads a line; undefined if nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

const require = createRequire(import.meta.url);

/** The documents that the commands use without `--document`. Each is read at its first use. */
export const contracts: readonly Contract[] = Object.entries({
  training: () => require("@trainyard/training/openapi.json"),
  inference: () => require("@trainyard/inference/openapi.json"),
  auxiliary: () => require("@trainyard/auxiliary/openapi.json"),
  local: () => require("@trainyard/local/openapi.json"),
}).map(([name, bundle]) => ({
  name,
  bundle,
  get file() {
    const bundle = require.resolve(`@trainyard/${name}/openapi.yaml`);
    const edited = join(bundle, "../../../../../openapi", name, "openapi.yaml");
    return existsSync(edited) ? edited : bundle;
  },
}));

/**
 * The terminal of this process. Its signal aborts at the first signal to stop, which is the reason; at the second one,
 * the process exits at once.
 */
export function ownTerminal(): Terminal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, (name) => {
      controller.abort(new Error(name));
      process.once(signal, () => process.exit(130));
    });
  }
  return {
    out: (written) => void process.stdout.write(written),
    err: (written) => void process.stderr.write(written),
    environment: process.env,
    signal: controller.signal,
    get ask() {
      return process.stdin.isTTY && process.stderr.isTTY ? ask : undefined;
    },
  };
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return terminal.question(question).finally(() => terminal.close());
}
