/** Says that a message names the first of several faults. */
export function andMore({ length }: readonly unknown[]): string {
  return length > 1 ? ` (and ${length - 1} more)` : "";
}
