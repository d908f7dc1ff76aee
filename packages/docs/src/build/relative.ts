/**
 * Makes every address of the site relative. The pages are built for the root of a host; here each `/…` becomes the path from the
 * file that contains it. So one build works at the root of a host, in any folder of it, and from a simple file server.
 */
import { rewrite } from "./files.ts";

/** The path from a file to the root of the site: `guides/chat/index.html` → `../../`. */
export function toRoot(path: string): string {
  return "../".repeat(path.split("/").length - 1) || "./";
}

/**
 * Rewrites a page, whose addresses start at `home`. Only text inside a tag is an address; the text of a script is not
 * changed.
 */
export function withHome(page: string, home: string): string {
  return page.replaceAll(/(<script[^>]*>)([\s\S]*?<\/script>)|<[a-zA-Z][^<>]*>/g, (all, tag?: string, rest?: string) =>
    tag === undefined ? addresses(all, home) : addresses(tag, home) + rest,
  );
}

function addresses(tag: string, home: string): string {
  return tag.replaceAll(/(\s(?:href|src|action|content)=")\/(?!\/)/g, `$1${home}`);
}

/** Rewrites a style sheet. */
export function relativeStyles(text: string, path: string): string {
  return text.replaceAll(/url\((["']?)\/(?!\/)/g, `url($1${toRoot(path)}`);
}

/**
 * Makes a built site relative. A page that is served for any address (404.html) cannot know its depth, so it gets `home`, the
 * path under which the site is published.
 */
export function makeRelative(folder: string, home: string): void {
  rewrite(folder, "**/*.html", (text, path) => withHome(text, path === "404.html" ? home : toRoot(path)));
  rewrite(folder, "**/*.css", relativeStyles);
}
