/** The part of `node:path` that the server and the tiny model use. */
export const join = (...parts: readonly string[]): string => parts.join("/").replaceAll(/\/{2,}/g, "/");
export const resolve = (...parts: readonly string[]): string => join("/", ...parts);
export const dirname = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));
