/** The limits of a host. Requests above them get the document's error. Those that are left out have their defaults. */
export interface LimitOptions {
  /** Maximum bytes of a body. Default: 32 MiB. */
  readonly bodyBytes?: number | undefined;
  /**
   * Maximum bytes of the body of these operations, instead of `bodyBytes`: by name (`models.log`) in every document, or by
   * document and name (`training models.log`). The name alone comes first.
   */
  readonly bodyBytesOf?: Readonly<Record<string, number>> | undefined;
  /**
   * Maximum number of JSON values in the body of these operations, by document and name (`inference chat.completions.create`):
   * each takes time, however short it is. Default: any number.
   */
  readonly bodyValuesOf?: Readonly<Record<string, number>> | undefined;
  /** Maximum nesting of a body. Default: 100. */
  readonly bodyDepth?: number | undefined;
  /** Maximum bytes of all headers together (431). Default: 16 KiB; at most 64 KiB. */
  readonly headerBytes?: number | undefined;
  /** Maximum number of running requests (429). Default: 256. */
  readonly requests?: number | undefined;
  /** The option by which people set a limit, for the message of a request above it: `--body-limit`. Default: it names none. */
  readonly names?: { readonly [Name in "bodyBytes" | "bodyDepth" | "headerBytes" | "requests"]?: string } | undefined;
}

/** Limits, each of which has a value. */
export type Limits = { readonly [Name in keyof LimitOptions]-?: NonNullable<LimitOptions[Name]> };

/** Fills in the defaults. */
export function limitsOf(given: LimitOptions = {}): Limits {
  return {
    bodyBytes: given.bodyBytes ?? 32 * 2 ** 20,
    bodyBytesOf: given.bodyBytesOf ?? {},
    bodyValuesOf: given.bodyValuesOf ?? {},
    bodyDepth: given.bodyDepth ?? 100,
    headerBytes: given.headerBytes ?? 16 * 2 ** 10,
    requests: given.requests ?? 256,
    names: given.names ?? {},
  };
}

/** The option by which a limit is set, to follow its value. */
export function named(option: string | undefined): string {
  return option === undefined ? "" : ` (${option})`;
}

/** The size in bytes of headers on the wire. */
export function headerSize(namesAndValues: Iterable<string>): number {
  let size = 0;
  // A name is followed by `: `, a value by a line end.
  for (const part of namesAndValues) size += part.length + 2;
  return size;
}
