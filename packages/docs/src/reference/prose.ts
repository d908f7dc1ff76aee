import { defineMdastPlugin, markdownToHtml } from "satteri";
import { Html } from "./html.ts";

/** A description may name `<team>`: documents hold Markdown, and no HTML. */
const noHtml = defineMdastPlugin({
  name: "no-html",
  html(node, context) {
    context.replaceNode(node, { type: "text", value: node.value });
  },
});

// The same sentence stands on many pages.
const done = new Map<string, Html>();

/** A description as HTML, by the Markdown processor of the site. */
export function prose(markdown: string): Html {
  const known = done.get(markdown);
  if (known !== undefined) return known;
  const made = new Html(markdownToHtml(markdown, { mdastPlugins: [noHtml] }).html.trim());
  done.set(markdown, made);
  return made;
}

/** A sentence of Markdown, to stand within a line. */
export function phrase(markdown: string): Html {
  return new Html(prose(markdown).text.replace(/^<p>([^]*)<\/p>$/, "$1"));
}

/** Text as code of Markdown, whatever it holds. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A value as code of Markdown, written as JSON: a string has its quotes. */
export function value(of: unknown): string {
  return code(JSON.stringify(of));
}
