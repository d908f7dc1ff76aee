import { createRequire } from "node:module";
import type { Contract } from "./contract.ts";

/** Where a command reads and writes. */
export interface Terminal {
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Sends the requests; the runtime's own by default. */
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
    return require.resolve(`@trainyard/${name}/openapi.yaml`);
  },
}));

/** The terminal of this process. Its signal aborts at the first signal to stop; at the second one, the process exits at once. */
export function ownTerminal(): Terminal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      controller.abort();
      process.once(signal, () => process.exit(130));
    });
  }
  return {
    out: (written) => void process.stdout.write(written),
    err: (written) => void process.stderr.write(written),
    environment: process.env,
    signal: controller.signal,
  };
}
