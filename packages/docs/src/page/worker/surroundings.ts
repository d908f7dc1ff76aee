/** The replacements for Node's environment variables and console that samples use. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly print: (text: string, isError: boolean) => void;
}

/** Sets up the globals that programs for Node expect. */
export function surround(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.addEventListener("message", () => waiting.shift()?.());
channel.port1.start();

/** Calls back after the tasks in the queue. Timers would wait for four milliseconds once several follow each other. */
function immediate(work: () => void): void {
  waiting.push(work);
  channel.port2.postMessage(null);
}

/** Sets up what the server expects, before it runs. */
export function surroundServer(): void {
  surround("setImmediate", immediate);
  surround("process", { env: {}, argv: [], platform: "page", versions: {} });
}

/**
 * Sets up what samples expect. The clients do not treat the worker as a browser: its key gives access only to the
 * page's own server.
 */
export function surroundSamples(
  { variables, fetch, print }: Surroundings,
  printed: (values: unknown[]) => string,
): void {
  surround("importScripts", undefined);
  surround("fetch", fetch);
  surround("process", {
    env: variables,
    argv: [],
    stdout: { write: (text: string) => print(text, false) },
    stderr: { write: (text: string) => print(text, true) },
  });
  for (const level of ["log", "info", "debug"] as const) {
    console[level] = (...values: unknown[]) => print(`${printed(values)}\n`, false);
  }
  for (const level of ["error", "warn"] as const) {
    console[level] = (...values: unknown[]) => print(`${printed(values)}\n`, true);
  }
}
