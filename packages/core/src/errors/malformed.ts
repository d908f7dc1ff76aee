/**
 * Says where a text stops being JSON. Own code, because the errors of the runtimes repeat the text, and not all of them name
 * the position.
 */
export function malformed(json: string): string {
  let at = 0;
  const take = (token: string): string | undefined => {
    const pattern = new RegExp(`[\\t\\n\\r ]*(${token})`, "y");
    pattern.lastIndex = at;
    const found = pattern.exec(json);
    if (found) at = pattern.lastIndex;
    return found?.[1];
  };
  const text = (): unknown => take('"([^"\\\\\\0-\\x1f]+|\\\\(["\\\\/bfnrt]|u[\\da-fA-F]{4}))*') && take('"');
  const value = (): unknown => {
    const open = take("[[{]");
    if (!open) return text() ?? take("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?|true|false|null");
    const close = open === "{" ? "}" : "]";
    if (take(close)) return close;
    do if ((open === "{" && !(text() && take(":"))) || !value()) return undefined;
    while (take(","));
    return take(close);
  };
  try {
    value();
    take("");
  } catch {
    // Too deep for the stack.
  }
  const bytes = (text: string): number => new Blob([text]).size;
  // A text that stops at once is something else than JSON.
  return at ? `, malformed at position ${bytes(json.slice(0, at))} of ${bytes(json)} bytes` : "";
}
