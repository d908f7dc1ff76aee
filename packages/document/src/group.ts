/** Groups values by a key, in the order of their first members. */
export function groupBy<Key, One>(values: Iterable<One>, keyOf: (one: One) => Key): Map<Key, [One, ...One[]]> {
  const groups = new Map<Key, [One, ...One[]]>();
  for (const one of values) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}
