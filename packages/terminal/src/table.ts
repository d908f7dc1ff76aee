/** Tables of text, for the output of commands and for files in Markdown. @module */

type Rows = readonly (readonly string[])[];

const widthsOf = (rows: Rows, least = 0): number[] =>
  Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, at) =>
    Math.max(least, ...rows.map((row) => row[at]?.length ?? 0)),
  );

/** Rows as lines with aligned columns, two spaces apart. A number is aligned at its end, also one with a unit. */
export function textTable(rows: Rows): string[] {
  const widths = widthsOf(rows);
  const padded = (cell: string, width = 0): string =>
    /^\d[\d.,]*( \w+)?$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
  return rows.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at]))
      .join("  ")
      .trimEnd(),
  );
}

/** Words as lines of a width. A word that is too long breaks after `|`. */
export function wrap(words: readonly string[], width: number, indent: string, hanging: string = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of words)
    for (const [index, part] of (word.length > width / 2 ? word.split(/(?<=\|)/) : [word]).entries()) {
      const space = index > 0 || line.trim() === "" ? "" : " ";
      const isFull = line.trim() !== "" && line.length + space.length + part.length > width;
      if (isFull) lines.push(line);
      line = isFull ? hanging + part : line + space + part;
    }
  return [...lines, line];
}

/** A table in Markdown as the formatter writes it, which is also readable in a terminal: the head is the first row. */
export function markdownTable(cells: Rows): string {
  const plain = (cell: string): string => cell.replaceAll(/\s+/g, " ").replaceAll(/\\?\|/g, "\\|");
  const [head = [], ...rows] = cells.map((row) => row.map(plain));
  const widths = widthsOf([head, ...rows], 3);
  const rule = widths.map((width) => "-".repeat(width));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? "").padEnd(width)).join(" | ")} |`;
  return [head, rule, ...rows].map(line).join("\n");
}
