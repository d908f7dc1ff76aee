import type { BodyLimits } from "./body.ts";

/** How much a host takes. What is above gets the document's error. */
export interface Limits {
  readonly body: BodyLimits;
  /** Bytes of a body of these operations, by name, in place of `body.bytes`. */
  readonly bytesOf: Readonly<Record<string, number>>;
  /** Bytes of all headers together (431). */
  readonly headerBytes: number;
  /** Requests under way at the same time (429). */
  readonly requests: number;
}

/** Limits as they are given: those that are left out have their defaults. */
export interface LimitOptions {
  /** Bytes of a body; 32 MiB by default. */
  readonly bodyBytes?: number | undefined;
  /** Bytes of a body of these operations, by name (`models.log`), in place of `bodyBytes`. */
  readonly bodyBytesOf?: Readonly<Record<string, number>> | undefined;
  /** Levels of nesting of a body; 100 by default. */
  readonly bodyDepth?: number | undefined;
  /** Bytes of all headers together; 16 KiB by default, 64 KiB at most. */
  readonly headerBytes?: number | undefined;
  /** Requests under way at the same time; 256 by default. */
  readonly requests?: number | undefined;
}

/** Fills in the defaults. */
export function limitsOf({ bodyBytes, bodyBytesOf, bodyDepth, headerBytes, requests }: LimitOptions = {}): Limits {
  return {
    body: { bytes: bodyBytes ?? 32 * 2 ** 20, depth: bodyDepth ?? 100 },
    bytesOf: bodyBytesOf ?? {},
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
