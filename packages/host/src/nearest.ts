/** Of some paths, the one that was probably meant; undefined where none is like the one that was sent. */
export function nearestPath(path: string, paths: Iterable<string>): string | undefined {
  if (path.length > 200) return undefined;
  let nearest: { path: string; distance: number } | undefined;
  for (const candidate of paths) {
    const distance = editDistance(path, candidate);
    // A third of it may be wrong, or all but its last segment missing.
    const isLike = distance <= candidate.length / 3 || candidate.endsWith(`/${path.split("/").at(-1)}`);
    if (isLike && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { path: candidate, distance };
  }
  return nearest?.path;
}

/** How many characters must be added, removed or replaced to make one text of another. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
