import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "@trainyard/host/table";

// A class with its comment: when it is thrown and, after "What to do:", the cure.
const classes = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport class (\w+) extends /gm;

/**
 * The table of the error classes in these files, in Markdown, from their comments.
 * @throws if a class's comment does not say what to do.
 */
export function errorTable(root: string, files: readonly string[]): string {
  const rows = [["class", "when", "what to do"]];
  for (const file of files)
    for (const [, comment = "", name = ""] of readFileSync(join(root, file), "utf8").matchAll(classes)) {
      const text = comment.replaceAll(/\s*\n \*[ ]?/g, "\n").replaceAll(/\{@link (\w+)\}/g, "`$1`");
      const [when = "", cure] = text.split(/\n\nWhat to do: /).map((part) => part.trim().replaceAll(/\s+/g, " "));
      if (!cure) throw new Error(`${file}: the comment of ${name} has no paragraph "What to do: …".`);
      rows.push([`\`${name}\``, when, cure]);
    }
  return markdownTable(rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|"))));
}
