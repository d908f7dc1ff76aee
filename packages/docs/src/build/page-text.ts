/** A page of the site as Markdown: its visible content without the frame. */
import type { Element, ElementContent, Nodes, Root } from "hast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { twinAddress } from "../reference/addresses.ts";
import type { Section } from "../reference/records.ts";

export interface PageText {
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  readonly sections: readonly Section[];
  /** Environment variables and options in its code. */
  readonly code: readonly string[];
}

function find(node: Nodes, test: (element: Element) => boolean): Element | undefined {
  if (node.type === "element" && test(node)) return node;
  if (!("children" in node)) return undefined;
  for (const child of node.children) {
    const found = find(child, test);
    if (found) return found;
  }
  return undefined;
}

function hasClass(element: Element, name: string): boolean {
  const names = element.properties["className"];
  return Array.isArray(names) && names.includes(name);
}

function text(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(text).join("") : "";
}

/** Turns a code block of the site, which has an element for each line and a button, into a plain code block, below the place of commands. */
function codeOf(frame: Element): ElementContent[] {
  const pre = find(frame, ({ tagName }) => tagName === "pre");
  const code = pre && find(pre, ({ tagName }) => tagName === "code");
  const lines =
    code?.children.filter((child) => child.type === "element").map((line) => text(line).replace(/\n$/, "")) ?? [];
  const language = String(pre?.properties["dataLanguage"] ?? "");
  const block: Element = {
    type: "element",
    tagName: "code",
    properties: { className: [`language-${language}`] },
    children: [{ type: "text", value: lines.join("\n") }],
  };
  const caption = language === "sh" && find(frame, ({ tagName }) => tagName === "figcaption");
  const place = caption ? text(caption).trim() : "";
  return [
    ...(place === "" ? [] : [paragraph(`${place}:`)]),
    { type: "element", tagName: "pre", properties: {}, children: [block] },
  ];
}

function paragraph(words: string): Element {
  return { type: "element", tagName: "p", properties: {}, children: [{ type: "text", value: words }] };
}

/** The most characters of an example. */
const longest = 800;

/** An example, cut after a line if it is long. */
function exampleOf(pre: Element): ElementContent[] {
  const whole = text(pre);
  if (whole.length <= longest) return [pre];
  const kept = whole.slice(0, whole.lastIndexOf("\n", longest));
  const [code] = pre.children;
  const cut = `Cut after ${kept.split("\n").length} of ${whole.split("\n").length} lines. The page shows the whole example.`;
  return [
    { ...pre, children: [{ ...(code as Element), children: [{ type: "text", value: `${kept}\n…` }] }] },
    paragraph(cut),
  ];
}

function isFrame(element: Element): boolean {
  // Heading links, drawings and scripts have no text. What is apart has a twin of its own, or is too long.
  return (
    hasClass(element, "sl-anchor-link") ||
    hasClass(element, "needs") ||
    hasClass(element, "apart") ||
    // Sources other than proposals, which a page hides as well.
    (element.tagName === "a" && hasClass(element, "basis") && !hasClass(element, "proposed")) ||
    ["svg", "script", "style", "template", "sample-run", "watch-model"].includes(element.tagName)
  );
}

/** The elements of a page that contain text, without its frame. */
function wordsOf(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type !== "element") return [node];
    if (hasClass(node, "expressive-code")) return codeOf(node);
    const drawn = node.tagName === "svg" && find(node, ({ tagName }) => tagName === "desc");
    if (drawn) return [paragraph(text(drawn))];
    if (isFrame(node)) return [];
    if (node.tagName === "pre") return exampleOf(node);
    const children = wordsOf(node.children);
    // The address of a field is on the page alone.
    if (hasClass(node, "name")) return children;
    return [{ ...node, ...(node.tagName === "summary" && { tagName: "p" }), children }];
  });
}

/** `/guides/chat/#a-stream` → `../guides/chat.md`, relative to the twin of `page`. Files keep their names. */
export function twinLink(href: string, page: string): string {
  // An address of the site begins with its root; all others are relative to the page.
  const [, path = ""] = /^(\/[^#?]*)/.exec(href) ?? [];
  if (path === "") return href;
  const root = "../".repeat(page.split("/").length - 1) || "./";
  return root + (path.endsWith("/") ? twinAddress(path) : path).slice(1);
}

function relink(node: Nodes, page: string): void {
  if (node.type === "element")
    for (const key of ["href", "src"]) {
      const address = node.properties[key];
      if (typeof address === "string") node.properties[key] = twinLink(address, page);
    }
  if ("children" in node) for (const child of node.children) relink(child, page);
}

const parser = unified().use(rehypeParse);
const writer = unified()
  .use(rehypeRemark)
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", rule: "-" });

/** The sections of a page, and the names in its code that people search for. */
function contentOf(root: Root, title: string): Pick<PageText, "sections" | "code"> {
  let last = { id: "", heading: title, text: "" };
  const sections = [last];
  const code = new Set<string>();
  const read = (node: Nodes): void => {
    if (node.type === "text") last.text += node.value;
    if (!("children" in node)) return;
    const tag = node.type === "element" ? node.tagName : "";
    if (node.type === "element" && /^h[23]$/.test(tag)) {
      last = { id: String(node.properties["id"]), heading: text(node).trim(), text: "" };
      sections.push(last);
    } else if (tag === "pre") for (const [name] of text(node).matchAll(named)) code.add(name);
    else for (const child of node.children) read(child);
    if (/^(?:p|li|td|th|dd|dt|h4|pre|br)$/.test(tag)) last.text += " ";
  };
  read(root);
  const plain = sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, " ").trim() }));
  return { sections: plain, code: [...code] };
}

/** An environment variable, an option of a command, and one of a client. */
const named = /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|--[a-z][\w-]+|\b[a-z]+[A-Z]\w*(?=:)/g;

/** The text of a built page; `twin` is the path of its Markdown in the site. */
export async function pageText(html: string, twin: string): Promise<PageText> {
  const tree = parser.parse(html);
  const meta = find(tree, ({ tagName, properties }) => tagName === "meta" && properties["name"] === "description");
  const title = find(tree, ({ properties }) => properties["id"] === "_top");
  const about = meta?.properties["content"];
  const words = find(tree, (element) => hasClass(element, "sl-markdown-content"));
  const heading = title === undefined ? "" : text(title).trim();
  const body: Root = { type: "root", children: wordsOf(words?.children ?? []) };
  relink(body, twin);
  // A space that does not break is for the layout of a page.
  const content = contentOf(body, heading);
  const markdown = writer
    .stringify(await writer.run(body))
    .replaceAll(/\u00a0+$/gm, "")
    .replaceAll("\u00a0", " ");
  return {
    title: heading,
    description: typeof about === "string" ? about : "",
    ...content,
    markdown: `# ${heading}\n\n${markdown}`,
  };
}
