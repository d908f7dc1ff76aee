/** Time zones: the browser's own if it supports them, else the polyfill that Node uses. */
import type { Temporal as Polyfill } from "temporal-polyfill";

const own: typeof globalThis & { readonly Temporal?: typeof Polyfill } = globalThis;

export const Temporal: typeof Polyfill = own.Temporal ?? (await import("temporal-polyfill")).Temporal;
