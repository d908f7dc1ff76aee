import { immediate } from "../node/immediate.ts";

/** What samples get in place of Node's: environment variables, and where they print. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly print: (text: string, isError: boolean) => void;
}

/** Gives the worker what programs for Node expect of it. */
export function surround(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** What the server expects, before any of it runs. */
export function surroundServer(): void {
  surround("setImmediate", immediate);
  surround("process", { env: {}, argv: [], platform: "page", versions: {} });
}

/** What samples expect. The clients take the worker for no browser: its key opens the page's own server and nothing else. */
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
