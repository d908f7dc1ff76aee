import type { BodyLimits } from "./body.ts";

/** The limits of a host. Requests above them get the document's error. */
export interface Limits {
  readonly body: BodyLimits;
  /** Maximum bytes of the body of these operations, by name, instead of `body.bytes`. */
  readonly bytesOf: Readonly<Record<string, number>>;
  /** Maximum bytes of all headers together (431). */
  readonly headerBytes: number;
  /** Maximum number of running requests (429). */
  readonly requests: number;
}

/** Limits as options. Those that are left out have their defaults. */
export interface LimitOptions {
  /** Maximum bytes of a body. Default: 32 MiB. */
  readonly bodyBytes?: number | undefined;
  /** Maximum bytes of the body of these operations, by name (`models.log`), instead of `bodyBytes`. */
  readonly bodyBytesOf?: Readonly<Record<string, number>> | undefined;
  /** Maximum nesting of a body. Default: 100. */
  readonly bodyDepth?: number | undefined;
  /** Maximum bytes of all headers together. Default: 16 KiB; at most 64 KiB. */
  readonly headerBytes?: number | undefined;
  /** Maximum number of running requests. Default: 256. */
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

/** The size in bytes of headers on the wire. */
export function headerSize(namesAndValues: Iterable<string>): number {
  let size = 0;
  // A name is followed by `: `, a value by a line end.
  for (const part of namesAndValues) size += part.length + 2;
  return size;
}
