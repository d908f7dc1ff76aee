/**
 * Renders the references with `redocly build-docs` and takes its page apart: what belongs to all pages (the program and the
 * styles) is written once, so that the three references share one download, and nothing is left inline that a
 * Content-Security-Policy would have to allow.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache, site } from "../places.ts";
import { decorate } from "./decorate.ts";
import type { Document } from "./document.ts";
import { between, hashed, redocScript } from "./redoc-script.ts";

/** What a page of the site needs to show a reference. Addresses are relative to `reference/`. */
export interface Rendered {
  readonly service: string;
  readonly styles: string;
  readonly script: string;
  readonly html: string;
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
  const { program, file, rest } = redocScript(body);
  files.set(file, program);
  const stylesName = hashed("redoc", styles, "css");
  files.set(stylesName, styles);
  const script = `import { hydrate } from "./${file}";\n${rest}\n`;
  const scriptName = hashed(service, script, "js");
  files.set(scriptName, script);
  return { service, styles: stylesName, script: scriptName, html };
}
