/** The number of entries that are cached, for runs that people look at side by side. */
const most = 8;

/** The cached value for a name, created if it is missing. If there are too many, the oldest is removed. */
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
