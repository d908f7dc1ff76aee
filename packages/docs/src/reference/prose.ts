import { defineMdastPlugin, markdownToHtml } from "satteri";
import { Html } from "./html.ts";

/** A description may contain `<team>`: documents contain Markdown, not HTML. */
const noHtml = defineMdastPlugin({
  name: "no-html",
  html(node, context) {
    context.replaceNode(node, { type: "text", value: node.value });
  },
});

// The same sentence is on many pages.
const cache = new Map<string, Html>();

/** A description as HTML, from the Markdown processor of the site. */
export function prose(markdown: string): Html {
  const cached = cache.get(markdown);
  if (cached !== undefined) return cached;
  const html = new Html(markdownToHtml(markdown, { mdastPlugins: [noHtml] }).html.trim());
  cache.set(markdown, html);
  return html;
}

/** A sentence of Markdown as inline HTML. */
export function phrase(markdown: string): Html {
  return new Html(prose(markdown).text.replace(/^<p>([^]*)<\/p>$/, "$1"));
}

/** Text as Markdown code, whatever it contains. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A value as Markdown code, written as JSON: a string has quotes. */
export function value(of: unknown): string {
  return code(JSON.stringify(of));
}
