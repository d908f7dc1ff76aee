/**
 * The name that was probably meant: the one with the fewest edits, if these are few for its length.
 *
 * @param most how many edits a name may have; by default a third of its length
 */
export function nearest(
  written: string,
  names: Iterable<string>,
  most = (name: string): number => Math.max(1, name.length / 3),
): string | undefined {
  // Nobody misspells so long a text, and comparing it takes long.
  if (written.length > 200) return undefined;
  const alike = [...names].map((name) => ({ name, edits: editDistance(written, name) }));
  const [found] = alike.filter(({ name, edits }) => edits <= most(name)).toSorted((a, b) => a.edits - b.edits);
  return found?.name;
}

/** A name in lower case without separators: `create_rl`, `createRl` and `create-rl` are considered equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, "");
}

/** The question for the name that was probably meant: ` Did you mean models.list?`. Undefined if none is similar. */
export function didYouMean(written: string, names: Iterable<string>, mark = ""): string | undefined {
  const byPlain = new Map([...names].map((name) => [plainName(name), name]));
  const meant = byPlain.get(nearest(plainName(written), byPlain.keys()) ?? "");
  return meant && ` Did you mean ${mark}${meant}?`;
}

/** The number of characters to insert, delete, replace, or swap with their neighbor to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
