import type { Service } from "./operation.ts";

interface Globals {
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } };
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly userAgent?: string };
}

const globals: Globals = globalThis;

/** Reads the environment variable that a client names for an option. Returns undefined if there is none, or it is empty. */
export function variable({ variables }: Service, option: string): string | undefined {
  const name = variables?.[option];
  try {
    return (name && globals.process?.env?.[name]) || undefined;
  } catch {
    // Deno throws if the program has no permission to read the environment.
    return undefined;
  }
}

/** What to do about a missing option: `pass apiKey, or set PETS_API_KEY.` */
export function cureFor({ variables }: Service, option: string): string {
  const name = variables?.[option];
  return `pass ${option}${name ? `, or set ${name}` : ""}.`;
}

/** Whether the code runs in a browser: in a page or in a worker. */
export function inBrowser(): boolean {
  return !!(globals.document ?? globals.importScripts);
}

/** The runtime and its version, as in `Node.js/24`. Browsers have none. */
export function runtime(): string {
  return globals.navigator?.userAgent ?? "unknown";
}
