/**
 * Writes the lists in the query of a URL as one value each: `ids=1&ids=2` becomes `ids=1,2`. Clients of documents that
 * declare lists with `explode: false` send their queries so; the clients of others do not contain it.
 */
export function joinLists(url: string, names: readonly string[] = []): string {
  const [path = "", query] = url.split("?");
  if (query === undefined) return url;
  const pairs: string[] = [];
  for (const pair of query.split("&")) {
    const [name = "", value = ""] = pair.split("=");
    const first = names.includes(decodeURIComponent(name)) ? pairs.findIndex((one) => one.startsWith(`${name}=`)) : -1;
    if (first < 0) pairs.push(pair);
    else pairs[first] += `,${value}`;
  }
  return `${path}?${pairs.join("&")}`;
}
