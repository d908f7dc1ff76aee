/** A step of a guide: lines for a shell, or text to append to a file. */
export type Step = { readonly commands: readonly string[] } | { readonly file: string; readonly text: string };

/** The steps below a heading of a Markdown document, in order: each block of code that is indented below a number. */
export function stepsOf(markdown: string, heading: string): Step[] {
  const [, after = ""] = markdown.split(`${heading}\n`);
  const [section = ""] = after.split(/^## /m);
  const blocks = /^( *)```(\w+)\n([^]*?)^ *```$/gm;
  return [...section.matchAll(blocks)].flatMap(({ 1: indent = "", 2: language, 3: code = "", index }): Step[] => {
    const text = code.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    if (language === "sh") return [{ commands: text.trim().split("\n") }];
    const file = /`(openapi\/[^`]+\.yaml)`[^`]*$/.exec(section.slice(0, index))?.[1];
    return file === undefined ? [] : [{ file, text }];
  });
}
