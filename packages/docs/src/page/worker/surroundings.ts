import { immediate } from "../node.ts";

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
