/** A page of the site as Markdown: its visible content without the frame. */
import type { Element, ElementContent, Nodes, Root } from "hast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { twinAddress } from "../reference/addresses.ts";

export interface PageText {
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
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

/** Turns a code block of the site, which has an element for each line and a button, into a plain code block. */
function codeOf(frame: Element): ElementContent {
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
  return { type: "element", tagName: "pre", properties: {}, children: [block] };
}

function isFrame(element: Element): boolean {
  // Heading links, drawings and scripts have no text. What is apart has a twin of its own, or is too long.
  return (
    hasClass(element, "sl-anchor-link") ||
    hasClass(element, "needs") ||
    hasClass(element, "apart") ||
    ["svg", "script", "style", "template", "sample-run", "watch-model"].includes(element.tagName)
  );
}

/** The elements of a page that contain text, without its frame. */
function wordsOf(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type !== "element") return [node];
    if (hasClass(node, "expressive-code")) return [codeOf(node)];
    const drawn = node.tagName === "svg" && find(node, ({ tagName }) => tagName === "desc");
    if (drawn)
      return [{ type: "element", tagName: "p", properties: {}, children: [{ type: "text", value: text(drawn) }] }];
    if (isFrame(node)) return [];
    const children = wordsOf(node.children);
    if (hasClass(node, "basis")) return [{ type: "text", value: `(${text(node)})` }];
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

/** The text of a built page; `twin` is the path of its Markdown in the site. */
export async function pageText(html: string, twin: string): Promise<PageText> {
  const tree = parser.parse(html);
  const meta = find(tree, ({ tagName, properties }) => tagName === "meta" && properties["name"] === "description");
  const title = find(tree, ({ properties }) => properties["id"] === "_top");
  const content = meta?.properties["content"];
  const words = find(tree, (element) => hasClass(element, "sl-markdown-content"));
  const heading = title === undefined ? "" : text(title).trim();
  const body: Root = { type: "root", children: wordsOf(words?.children ?? []) };
  relink(body, twin);
  const markdown = writer.stringify(await writer.run(body));
  return {
    title: heading,
    description: typeof content === "string" ? content : "",
    markdown: `# ${heading}\n\n${markdown}`,
  };
}
