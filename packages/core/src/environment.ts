interface Globals {
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } };
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly userAgent?: string };
}

const globals: Globals = globalThis;

/** Reads an environment variable. Returns undefined if it is empty or the runtime has no environment. */
export function variable(name: string): string | undefined {
  try {
    return globals.process?.env?.[name] || undefined;
  } catch {
    // Deno throws if the program has no permission to read the environment.
    return undefined;
  }
}

/** Whether the code runs in a browser: in a page or in a worker. */
export function inBrowser(): boolean {
  return !!(globals.document ?? globals.importScripts);
}

/** The runtime and its version, as in `Node.js/24`. Browsers have none. */
export function runtime(): string {
  return globals.navigator?.userAgent ?? "unknown";
}
