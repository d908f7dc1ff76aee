import { editDistance } from "@trainyard/document";

/** Of some names, the one that was probably meant; undefined where none is like what was written. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  let nearest: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(plain(written), plain(name));
    const isLike = distance <= Math.max(1, name.length / 3);
    if (isLike && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** `create_rl`, `createRl` and `create-rl` differ in nothing that matters. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, "");
}
