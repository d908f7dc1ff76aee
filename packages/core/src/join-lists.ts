/** The texts of the path parameters that are lists. */
export const pathLists =
  (...names: string[]) =>
  (path: object): object =>
    Object.fromEntries(names.map((name) => [name, pathList(Reflect.get(path, name))]));

/** The text of a list in a path, before {@link joinLists} writes its commas: those within items stay encoded. */
export function pathList(value: unknown): string {
  return [value].flat().join("\0");
}

/**
 * Writes the lists in a URL as one value each: in a path, and in a query, where `ids=1&ids=2` becomes `ids=1,2`. Clients of
 * documents that declare lists in paths, or with `explode: false`, send them so; the clients of others do not contain it.
 */
export function joinLists(url: string, names: readonly string[] = []): string {
  const [before = "", query] = url.split("?");
  const path = before.replaceAll("%00", ",");
  if (query === undefined) return path;
  const pairs: string[] = [];
  for (const pair of query.split("&")) {
    const [name = "", value = ""] = pair.split("=");
    const first = names.includes(decodeURIComponent(name)) ? pairs.findIndex((one) => one.startsWith(`${name}=`)) : -1;
    if (first < 0) pairs.push(pair);
    else pairs[first] += `,${value}`;
  }
  return `${path}?${pairs.join("&")}`;
}
