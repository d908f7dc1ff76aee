/** How many are kept: runs that people look at, one beside the other. */
const most = 8;

/** What is kept under a name, made where it is missing; the oldest goes where there are too many. */
export function keepNewest<T>(kept: Map<string, T>, name: string, make: () => T): T {
  let value = kept.get(name);
  if (value === undefined) {
    value = make();
    kept.set(name, value);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  }
  return value;
}
