import { editDistance } from "@trainyard/document";

/** The path that was probably meant; undefined if none is similar. */
export function nearestPath(path: string, paths: Iterable<string>): string | undefined {
  if (path.length > 200) return undefined;
  let nearest: { path: string; distance: number } | undefined;
  for (const candidate of paths) {
    const distance = editDistance(path, candidate);
    // Up to a third may be wrong, or everything but the last segment missing.
    const isLike = distance <= candidate.length / 3 || candidate.endsWith(`/${path.split("/").at(-1)}`);
    if (isLike && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { path: candidate, distance };
  }
  return nearest?.path;
}
