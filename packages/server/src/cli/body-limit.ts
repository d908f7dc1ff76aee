import type { LimitOptions } from "@trainyard/host";

/**
 * Reads the value of `--body-limit`: MiB for all operations, or `models.log=256` for one.
 * @throws Error if it is not a size
 */
export function bodyLimitsOf(options: readonly string[]): Pick<LimitOptions, "bodyBytes" | "bodyBytesOf"> {
  let bodyBytes: number | undefined;
  const bodyBytesOf: Record<string, number> = {};
  for (const option of options) {
    const [, operation, size] = /^(?:([^=]+)=)?(\d+(?:\.\d+)?)$/.exec(option) ?? [];
    const bytes = Math.floor(Number(size) * 2 ** 20);
    if (!(bytes > 0)) {
      throw new Error(`--body-limit must be a number of MiB, as in 64 or models.log=256, not ${option}.`);
    }
    if (operation === undefined) bodyBytes = bytes;
    else bodyBytesOf[operation] = bytes;
  }
  return { bodyBytes, bodyBytesOf };
}
