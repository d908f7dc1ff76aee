import { editDistance } from "@trainyard/document";

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
