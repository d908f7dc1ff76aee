interface Globals {
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } };
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly userAgent?: string };
}

const globals: Globals = globalThis;

/** An environment variable, where the runtime has them and this one is not empty. */
export function variable(name: string): string | undefined {
  try {
    return globals.process?.env?.[name] || undefined;
  } catch {
    // Deno refuses to read what it was not allowed to.
    return undefined;
  }
}

/** Whether this is a browser: a page or one of its workers. */
export function inBrowser(): boolean {
  return !!(globals.document ?? globals.importScripts);
}

/** The runtime and its version, as all but browsers name themselves: `Node.js/24`. */
export function runtime(): string {
  return globals.navigator?.userAgent ?? "unknown";
}
