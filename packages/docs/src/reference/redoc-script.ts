import { createHash } from "node:crypto";

/** What the page of `redocly build-docs` runs, in two parts. */
export interface RedocScript {
  /** Redoc itself, for documents of any content: a module that fetches nothing from elsewhere. */
  readonly program: string;
  /** A name for it that another program does not have. */
  readonly file: string;
  /** What follows it: the document and how it looks, and the call that shows it. */
  readonly rest: string;
}

/** Redoc's mark, which it would fetch from elsewhere, as an empty picture. */
const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
const start = '<script type="module">';

/** Takes the script out of a page. Throws where there is none: a new version of Redoc has another page. */
export function redocScript(page: string): RedocScript {
  between(page, start, "const __redoc_definition = ");
  const script = page.slice(page.indexOf(start) + start.length, page.lastIndexOf("</script>"));
  const data = script.lastIndexOf("const __redoc_definition = ");
  const program = localProgram(script.slice(0, data).trim());
  return { program, file: hashed("redoc", program, "js"), rest: script.slice(data).trim() };
}

export function hashed(name: string, text: string, ending: string): string {
  return `${name}.${createHash("sha256").update(text).digest("hex").slice(0, 10)}.${ending}`;
}

/** The part of a text between two marks. Throws where it is not there: a new version of Redoc has another page. */
export function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from + start.length);
  if (from < 0 || to < 0) throw new Error(`The page of redocly build-docs has no ${start} … ${end}: see ${here}.`);
  return text.slice(from + start.length, to);
}

/** The program alone, with nothing that it would fetch from elsewhere. */
function localProgram(program: string): string {
  const mark = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;
  const result = program.replaceAll(mark, blank);
  if (result === program) throw new Error(`Redoc's program has no ${mark.source} any more: see ${here}.`);
  return result;
}

const here = "packages/docs/src/reference/redoc-script.ts";
