import { createRequire } from "node:module";
import type { Contract } from "@trainyard/live/call";

const require = createRequire(import.meta.url);

/** The bundles that `trainyard call` and `trainyard verify` use. Each is read at its first use. */
const contracts: readonly Contract[] = ["training", "inference", "auxiliary", "local"].map((name) => ({
  name,
  bundle: () => require(`@trainyard/${name}/openapi.json`),
  get file() {
    return require.resolve(`@trainyard/${name}/openapi.yaml`);
  },
}));

/** `trainyard call`: one operation of a live service. */
export async function call(args: readonly string[]): Promise<void> {
  const { callCommand } = await import("@trainyard/live/call");
  const ending = endBySignal();
  process.exitCode = await callCommand(args, contracts, {
    ...terminal,
    // Opening standard input takes longer than printing help.
    get input() {
      return process.stdin.isTTY ? undefined : readInput;
    },
    get isTerminal() {
      return process.stdout.isTTY;
    },
    signal: ending,
  });
}

/** `trainyard verify`: checks live services against their contract. */
export async function verify(args: readonly string[]): Promise<void> {
  const { verifyCommand } = await import("@trainyard/live/verify");
  const services = contracts.filter(({ name }) => name !== "local");
  process.exitCode = await verifyCommand(args, services, { ...terminal, signal: endBySignal() });
}

async function readInput(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(process.stdin);
}

const terminal = {
  out: (written: string) => void process.stdout.write(written),
  err: (written: string) => void process.stderr.write(written),
  environment: process.env,
};

/** Aborts what runs at the first signal to stop. At the second one, the process exits at once, without cleaning up. */
function endBySignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      controller.abort();
      process.once(signal, () => process.exit(130));
    });
  }
  return controller.signal;
}
