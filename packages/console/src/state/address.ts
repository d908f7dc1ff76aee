import { useEffect, useState } from "preact/hooks";

/** Where the reader is: the path below `/console` in its parts, and the query. */
export interface Address {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const root = "/console";
const listeners = new Set<() => void>();

export function readAddress({ pathname, search } = location): Address {
  const parts = pathname.slice(root.length).split("/").filter(Boolean).map(decode);
  return { parts, query: new URLSearchParams(search) };
}

/** The address of a page. A value that is undefined or empty is not written. */
export function hrefOf(
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = [root, ...parts.map((part) => encodeURIComponent(part))].join("/");
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return `${parts.length === 0 ? `${root}/` : path}${text === "" ? "" : `?${text}`}`;
}

/** Goes to a page of the console. `replace` leaves no step back: for what changes the same page. */
export function go(href: string, { replace = false } = {}): void {
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(history.state, "", href);
  else {
    history.replaceState({ scroll: scrollY }, "");
    history.pushState({ scroll: 0 }, "", href);
    scrollTo(0, 0);
  }
  for (const listener of listeners) listener();
}

/** Changes parameters of the query of the page that is shown. */
export function change(query: Readonly<Record<string, string | number | undefined>>, replace = true): void {
  const { parts, query: now } = readAddress();
  go(hrefOf(parts, { ...Object.fromEntries(now), ...query }), { replace });
}

/** Where the reader is, now and after each step. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const update = () => setAddress(readAddress());
    listeners.add(update);
    addEventListener("popstate", update);
    return () => {
      listeners.delete(update);
      removeEventListener("popstate", update);
    };
  }, []);
  return address;
}

/** Lets links within the console change the page without loading it anew. Whoever wants a new tab gets one. */
export function catchLinks(): void {
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname !== root && !link.pathname.startsWith(`${root}/`)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
