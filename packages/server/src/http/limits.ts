import type { BodyLimits } from "@trainyard/front";

/** How much the server takes. What is above gets the contract's error. */
export interface Limits {
  readonly body: BodyLimits;
  /** Bytes of all headers together (431). */
  readonly headerBytes: number;
  /** Requests under way at the same time (429). */
  readonly requests: number;
}

/** Limits as they are given: those that are left out have their defaults. */
export interface LimitOptions {
  /** Bytes of a body; 32 MiB by default. */
  readonly bodyBytes?: number;
  /** Levels of nesting of a body; 100 by default. */
  readonly bodyDepth?: number;
  /** Bytes of all headers together; 16 KiB by default, 64 KiB at most. */
  readonly headerBytes?: number;
  /** Requests under way at the same time; 256 by default. */
  readonly requests?: number;
}

export function limitsOf({ bodyBytes, bodyDepth, headerBytes, requests }: LimitOptions = {}): Limits {
  return {
    body: { bytes: bodyBytes ?? 32 * 2 ** 20, depth: bodyDepth ?? 100 },
    headerBytes: headerBytes ?? 16 * 2 ** 10,
    requests: requests ?? 256,
  };
}

/** How many bytes headers take as they are written, from their names and values. */
export function headerSize(namesAndValues: Iterable<string>): number {
  let size = 0;
  // `: ` follows a name, and a line ends behind a value.
  for (const part of namesAndValues) size += part.length + 2;
  return size;
}
