import { useEffect, useState } from "preact/hooks";
import { withQuery, type Query } from "../api/read.ts";

/** The current location: the parts of the path below `/console`, and the query. */
export interface Address {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** The start of addresses: a path of the local server or, in a page of the site, `#`. */
let root = "/console";

/** Sets the path that a proxy adds in front of the server's: empty without one. */
export function startBelow(prefix: string): void {
  root = `${prefix}/console`;
}

/** Keeps addresses in the fragment, so that the console can be a part of another page. */
export function keepInHash(): void {
  root = "#";
}

/** Whether the console is a part of another page. */
export function isPart(): boolean {
  return root === "#";
}

/** The address of the current page, as `hrefOf` writes it. */
function here({ pathname, search, hash } = location): string {
  return isPart() ? hash : pathname + search;
}

export function readAddress(): Address {
  const [path = "", search = ""] = here().split("?", 2);
  const parts = path.slice(root.length).split("/").filter(Boolean).map(decode);
  return { parts, query: new URLSearchParams(search) };
}

/** The address of a page. Undefined and empty values are omitted. */
export function hrefOf(parts: readonly (string | number)[], query: Query = {}): string {
  return withQuery([root, ...(parts.length === 0 ? [""] : parts.map(encodeURIComponent))].join("/"), query);
}

/** Opens a page of the console. `replace` adds no entry to the history, for changes of the same page. */
export function go(href: string, { replace = false } = {}): void {
  if (href === here()) return;
  if (replace) history.replaceState(history.state, "", href);
  else {
    history.replaceState({ scroll: scrollY }, "");
    history.pushState({ scroll: 0 }, "", href);
    if (!isPart()) scrollTo(0, 0);
  }
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Changes query parameters of the current page. */
export function change(query: Query, replace = true): void {
  const { parts, query: now } = readAddress();
  go(hrefOf(parts, { ...valuesOf(now), ...query }), { replace });
}

/** The values of a query by their names, without those that a page keeps for itself. */
export function valuesOf(query: URLSearchParams, without: readonly string[] = []): Record<string, string[]> {
  const names = new Set([...query.keys()].filter((name) => !without.includes(name)));
  return Object.fromEntries([...names].map((name) => [name, query.getAll(name)]));
}

/** The current location, updated after each navigation. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const update = () => setAddress(readAddress());
    addEventListener("popstate", update);
    return () => removeEventListener("popstate", update);
  }, []);
  return address;
}

/** Lets links within the console change the page without loading it again. A link opened in a new tab works as usual. */
export function catchLinks(): void {
  document.addEventListener("click", (event) => {
    const { metaKey, ctrlKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || event.button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    // A part of another page may be in a shadow tree, which hides its elements from outside.
    const [target] = event.composedPath();
    const link = target instanceof Element ? target.closest("a") : null;
    if (link === null || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
    const href = isPart() && link.pathname === location.pathname ? link.hash : link.pathname + link.search;
    if (href !== root && !href.startsWith(`${root}/`)) return;
    event.preventDefault();
    go(href);
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
