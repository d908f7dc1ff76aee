/** The program of an edited sample, as a module that the worker can import. */
import { parse } from "acorn";
import { transform } from "sucrase";
import { modules } from "trainyard:modules";
import { Told } from "../protocol.ts";

/**
 * Removes the types, which keeps each line in its place, and replaces the names of packages by the addresses of their
 * modules.
 *
 * @param home the address of the page's files
 * @throws Told if the program has a syntax error, or imports what a page does not have
 */
export function moduleOf(text: string, home: string): { readonly address: string; readonly files: readonly string[] } {
  const wrong = (line: number, message: string) =>
    new Told(`Line ${line}: ${message}, in: ${text.split("\n")[line - 1]?.trim() ?? ""}`);
  let code: string;
  let sources;
  try {
    ({ code } = transform(text, { transforms: ["typescript"], disableESTransforms: true }));
    const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
    sources = body.flatMap((node) => ("source" in node && node.source ? [node.source] : []));
  } catch (error) {
    // Both libraries name the place here, and again at the end of the message; one begins it with words of its own.
    const { loc, message } = error as { loc: { line: number }; message: string };
    throw wrong(loc.line, message.replace(/^Error transforming .*?: /, "").replace(/ \(\d+:\d+\)$/, ""));
  }
  const files: string[] = [];
  for (const { value, start, end, loc } of sources.toReversed()) {
    if (!modules.includes(String(value)))
      throw wrong(loc?.start.line ?? 1, `A page has only the modules ${modules.join(", ")}`);
    const file = `modules/${String(value)}.js`;
    files.push(file);
    code = code.slice(0, start) + JSON.stringify(home + file) + code.slice(end);
  }
  return { address: URL.createObjectURL(new Blob([code], { type: "text/javascript" })), files };
}
