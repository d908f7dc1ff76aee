/** Wide content scrolls inside the page on a small screen. The keyboard must reach it, even before any script has run. */
import { rewrite } from "./files.ts";

/** Makes the tables and code blocks of all pages focusable. */
export function reachWideParts(folder: string): void {
  rewrite(folder, "**/*.html", (page) =>
    page
      .replaceAll("<table>", '<table tabindex="0">')
      .replaceAll("<pre data-language", '<pre tabindex="0" data-language'),
  );
}
