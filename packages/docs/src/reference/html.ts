/** HTML as text, escaped by default: what is put into a template is text unless it is HTML already. */

/** A piece of HTML that may stand in a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | undefined | readonly Part[];

/** The template's text as HTML. Strings in it are escaped; `false`, `undefined` and empty lists leave nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text.replaceAll(/\n\s*/g, "") + textOf(parts[index])).join(""));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(textOf).join("") : escapeHtml(String(part));
}

/** Text in which nothing has a meaning of its own, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
