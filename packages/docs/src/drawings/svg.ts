/** The parts of a drawing: boxes, arrows and text. The classes of `styles/drawings.css` give them the colors of the page. */
import { escapeHtml } from "../reference/html.ts";

/** A drawing before it is SVG. */
export interface Drawing {
  /** The subject of the drawing, in a phrase. */
  readonly title: string;
  /** The whole content in sentences, for people who cannot see it. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly parts: readonly string[];
}

/** A drawing as SVG. `id` is unique on its page. */
export function svgOf(id: string, { title, text, width, height, parts }: Drawing): string {
  const head = `<marker id="${id}-head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" class="head"/></marker>`;
  const body = parts.join("").replaceAll("url(#head)", `url(#${id}-head)`);
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-text">${escapeHtml(text)}</desc><defs>${head}</defs>${body}</svg>`;
}

/** Lines of text; the first is at `y`. */
export function label(
  x: number,
  y: number,
  lines: string | readonly string[],
  { anchor = "middle", kind = "" }: { anchor?: "start" | "middle" | "end"; kind?: string } = {},
): string {
  return [lines]
    .flat()
    .map((line, index) => {
      const [, code] = /^`(.*)`$/.exec(line) ?? [];
      const classes = [code === undefined ? "" : "code", kind].filter(Boolean).join(" ");
      return `<text x="${n(x)}" y="${n(y + index * 18)}" text-anchor="${anchor}"${classes && ` class="${classes}"`}>${escapeHtml(code ?? line)}</text>`;
    })
    .join("");
}

/** A box with text in its middle. */
export function box(x: number, y: number, width: number, height: number, lines: readonly string[], kind = ""): string {
  const first = y + height / 2 + 5 - ((lines.length - 1) * 18) / 2;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" class="box ${kind}"/>${label(x + width / 2, first, lines)}`;
}

/** An arrow along a path, such as `M0 0H10`. */
export function arrow(path: string, kind = ""): string {
  return `<path d="${path}" class="arrow ${kind}" marker-end="url(#head)"/>`;
}

/** A number in a drawing, rounded to a tenth. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
