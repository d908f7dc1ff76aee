/** Appended to a message that names only the first of several issues. */
export function andMore({ length }: readonly unknown[]): string {
  return length > 1 ? ` (and ${length - 1} more)` : "";
}
