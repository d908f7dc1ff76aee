/** Formats values like Node's console, as far as samples need it; long lists are not arranged in columns. */

/** The most characters of an object on one line, including its indent. */
const width = 67;
/** Objects with this many levels are not written on one line. */
const levels = 3;
/** The depth of the object that was opened last. */
let begun = 0;

/** The text that `console.log` prints for its arguments. */
export function printed(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? value : inspect(value, 0))).join(" ");
}

function inspect(value: unknown, depth: number): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function: ${value.name || "(anonymous)"}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Error) return depth === 0 ? (value.stack ?? String(value)) : `[${value.stack ?? String(value)}]`;
  if (value instanceof Date) return value.toISOString();
  if (depth > 2) return Array.isArray(value) ? "[Array]" : "[Object]";
  begun = depth;
  const isArray = Array.isArray(value);
  const items = isArray
    ? value.map((item) => inspect(item, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : quoted(key)}: ${inspect(item, depth + 1)}`,
      );
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  const line = items.join(", ");
  const isShort = line.length + 2 * depth <= width && begun - depth < levels;
  if (isShort && !line.includes("\n")) return `${open} ${line} ${close}`;
  const indent = "  ".repeat(depth + 1);
  return `${open}\n${items.map((item) => indent + item).join(",\n")}\n${"  ".repeat(depth)}${close}`;
}

function quoted(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") ? "`" : "'";
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r");
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}
