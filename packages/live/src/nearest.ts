import { editDistance } from "@trainyard/document";

/** The name that was probably meant; undefined if none is similar. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  let nearest: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(plain(written), plain(name));
    const isLike = distance <= Math.max(1, name.length / 3);
    if (isLike && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** `create_rl`, `createRl` and `create-rl` are considered equal. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, "");
}
