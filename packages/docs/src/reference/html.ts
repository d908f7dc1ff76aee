/** HTML as text, escaped by default: values in a template are text unless they are HTML already. */

/** A piece of HTML that can be inserted unchanged. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | undefined | readonly Part[];

/** The text of the template as HTML. Strings in it are escaped; `false`, `undefined` and empty lists are omitted. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text.replaceAll(/\n\s*/g, "") + textOf(parts[index])).join(""));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(textOf).join("") : escapeHtml(String(part));
}

/** Escapes text for content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
