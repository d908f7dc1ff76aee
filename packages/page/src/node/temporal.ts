/** Time zones: the browser's own where it has them, else what Node has. */
import type { Temporal as Polyfill } from "temporal-polyfill";

const own: typeof globalThis & { readonly Temporal?: typeof Polyfill } = globalThis;

export const Temporal: typeof Polyfill = own.Temporal ?? (await import("temporal-polyfill")).Temporal;
