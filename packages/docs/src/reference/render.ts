/**
 * Renders the references with `redocly build-docs` and takes its page apart: what belongs to all pages (the program and the
 * styles) is written once, so that the three references share one download, and nothing is left inline that a
 * Content-Security-Policy would have to allow.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache, site } from "../places.ts";
import { decorate } from "./decorate.ts";
import type { Document } from "./document.ts";

/** What a page of the site needs to show a reference. Addresses are relative to `reference/`. */
export interface Rendered {
  readonly service: string;
  readonly styles: string;
  readonly script: string;
  readonly html: string;
}

/** Redoc's mark, which it would fetch from elsewhere, as an empty picture. */
const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

export function hashed(name: string, text: string, ending: string): string {
  return `${name}.${createHash("sha256").update(text).digest("hex").slice(0, 10)}.${ending}`;
}

/** The part of a text between two marks. Throws where it is not there: a new version of Redoc has another page. */
function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from + start.length);
  if (from < 0 || to < 0)
    throw new Error(`The page of redocly build-docs has no ${start} … ${end}: see src/reference/render.ts.`);
  return text.slice(from + start.length, to);
}

function replaced(text: string, search: RegExp, by: string): string {
  const result = text.replaceAll(search, by);
  if (result === text)
    throw new Error(`Redoc's program has no ${search.source} any more: see src/reference/render.ts.`);
  return result;
}

/** The program alone, with nothing that it would fetch from elsewhere. */
function localProgram(program: string): string {
  return replaced(program, /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, blank);
}

/** Renders every document into `files` (name → text, for `reference/`) and gives what the pages embed. */
export function renderReferences(all: readonly Document[], files: Map<string, string>): Rendered[] {
  const folder = join(cache, "redocly");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const template = join(folder, "template.hbs");
  writeFileSync(template, "<!--head-->{{{redocHead}}}<!--/head--><!--body-->{{{redocHTML}}}<!--/body-->");
  return all.map((document) => {
    const input = join(folder, `${document.service}.json`);
    const output = join(folder, `${document.service}.html`);
    writeFileSync(input, JSON.stringify(decorate(document)));
    execFileSync(
      "redocly",
      [
        "build-docs",
        input,
        "--config",
        join(site, "redocly.yaml"),
        "--inlineBundle",
        "--template",
        template,
        "--output",
        output,
      ],
      {
        cwd: site,
        stdio: "pipe",
        shell: process.platform === "win32",
        env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      },
    );
    return takeApart(document.service, readFileSync(output, "utf8"), files);
  });
}

function takeApart(service: string, page: string, files: Map<string, string>): Rendered {
  const styles = between(page, "<style data-styled", "</style>").replace(/^[^>]*>/, "");
  const body = between(page, "<!--body-->", "<!--/body-->");
  const html = between(body, '<div id="redoc">', '<script type="module">')
    .trimEnd()
    .replace(/<\/div>$/, "")
    // Rendered without an address, its links are paths; where it runs, they stand behind `#`.
    .replaceAll(' href="/', ' href="#/');
  const module = body.slice(
    body.indexOf('<script type="module">') + '<script type="module">'.length,
    body.lastIndexOf("</script>"),
  );
  const data = module.lastIndexOf("const __redoc_definition = ");
  const program = localProgram(module.slice(0, data).trim());
  const programName = hashed("redoc", program, "js");
  files.set(programName, program);
  const stylesName = hashed("redoc", styles, "css");
  files.set(stylesName, styles);
  const script = `import { hydrate } from "./${programName}";\n${module.slice(data).trim()}\n`;
  const scriptName = hashed(service, script, "js");
  files.set(scriptName, script);
  return { service, styles: stylesName, script: scriptName, html };
}
