/** A hidden element with a tree of its own, whose styles are there. */
export interface Tree {
  readonly host: HTMLElement;
  readonly parent: HTMLElement;
}

/**
 * Adds an element with a tree of its own: the site's styles do not reach into it, and its own do not get out. The site has
 * rules with `:has()`, which make a browser look at all of a page whenever an element is added; in here they do not.
 */
export async function tree(place: HTMLElement, styles: string): Promise<Tree> {
  const host = document.createElement("div");
  host.hidden = true;
  const parent = document.createElement("div");
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: styles });
  const loaded = new Promise((resolve) => {
    link.addEventListener("load", resolve);
    // Without them all is there, and less pretty.
    link.addEventListener("error", resolve);
  });
  host.attachShadow({ mode: "open" }).append(link, parent);
  place.append(host);
  const theme = () => (host.dataset["theme"] = document.documentElement.dataset["theme"] ?? "dark");
  theme();
  new MutationObserver(theme).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  await loaded;
  return { host, parent };
}
