/** What is wide scrolls by itself on a small screen: then the keyboard has to reach it, also before any script has run. */
import { rewrite } from "./files.ts";

/** Makes the tables and programs of all pages reachable. */
export function reachWideParts(folder: string): void {
  rewrite(folder, "**/*.html", (page) =>
    page
      .replaceAll("<table>", '<table tabindex="0">')
      .replaceAll("<pre data-language", '<pre tabindex="0" data-language'),
  );
}
