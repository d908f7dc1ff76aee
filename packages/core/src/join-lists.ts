import type { Operation } from "./operation.ts";

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
 * The characters that a value of a query may have with `allowReserved`, as `encodeURIComponent` and forms write them. Those
 * that would end the value, or that RFC 3986 does not permit in a query, stay encoded.
 */
const reservedCodes = /%(?:2[14789ACF]|3[ABDF]|40)/g;

/**
 * Writes the lists in a URL as one value each: in a path, and in a query, where `ids=1&ids=2` becomes `ids=1,2`; and the
 * reserved characters of a query where they may stay. Clients of documents that declare lists in paths, `explode: false` or
 * `allowReserved` send them so; the clients of others do not contain it.
 */
export function joinLists(
  url: string,
  { joined = [], reserved = [] }: Pick<Operation, "joined" | "reserved"> = {},
): string {
  const [before = "", query] = url.split("?");
  const path = before.replaceAll("%00", ",");
  if (query === undefined) return path;
  const pairs: string[] = [];
  for (const pair of query.split("&")) {
    const [key = ""] = pair.split("=", 1);
    const sent = pair.slice(key.length);
    const name = decodeURIComponent(key);
    const isJoined = joined.includes(name);
    // A comma within an item is no separator.
    const value = reserved.includes(name)
      ? sent.replace(reservedCodes, (code) => (isJoined && code === "%2C" ? code : decodeURIComponent(code)))
      : sent;
    const first = isJoined ? pairs.findIndex((one) => one.startsWith(`${key}=`)) : -1;
    if (first < 0) pairs.push(key + value);
    else pairs[first] += `,${value.slice(1)}`;
  }
  return `${path}?${pairs.join("&")}`;
}
