/** The name that was most likely meant: the one that is fewest edits away, where they are few for its length. */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(written.length / 3));
  let found: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = name === written ? Infinity : distance(written, name);
    if (edits <= most && edits < (found?.edits ?? Infinity)) found = { name, edits };
  }
  return found?.name;
}

/** How many letters are to be put in, left out, replaced, or swapped with the next, so that one word is the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + same,
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
