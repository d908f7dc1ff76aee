import { styles } from "../run/part.ts";

/** A hidden element with a shadow tree whose styles are loaded. */
export interface Tree {
  readonly host: HTMLElement;
  readonly parent: HTMLElement;
}

/**
 * Adds an element with a shadow tree: the site's styles do not apply inside, and its own do not apply outside. The site
 * has rules with `:has()`, which make a browser check the whole page whenever an element is added; inside the tree they
 * do not.
 */
export async function tree(container: HTMLElement, href: string): Promise<Tree> {
  const host = document.createElement("div");
  host.hidden = true;
  const parent = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  container.append(host);
  await styles(root, href);
  root.append(parent);
  return { host, parent };
}
