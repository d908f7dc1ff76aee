import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { redocly } from "@trainyard/codegen/redocly";

/** What shows a reference in a browser, for documents of any content. */
export interface Redoc {
  /** The module that exports `init`. */
  readonly program: string;
  /** A name that another program does not have. */
  readonly file: string;
  /** How the references of the site look, as JSON. */
  readonly options: string;
}

const configuration = fileURLToPath(import.meta.resolve("@trainyard/docs/redocly.yaml"));
/** Redoc's mark, which it would fetch from elsewhere, as an empty picture. */
const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
const nothing = { openapi: "3.1.0", info: { title: "Nothing", version: "1.0.0" }, paths: {} };

/** Takes Redoc out of a page that `redocly build-docs` makes: that takes a second, and once is enough. */
export async function readRedoc(signal: AbortSignal): Promise<Redoc> {
  const folder = await mkdtemp(join(tmpdir(), "trainyard-redoc-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    await writeFile(input, JSON.stringify(nothing));
    const args = ["build-docs", input, "--config", configuration, "--inlineBundle", "--output", output];
    const { code, text } = await redocly(args, folder, signal);
    if (code !== 0) throw new Error(`Redoc cannot be had.\n${text.trim()}`);
    const page = await readFile(output, "utf8");
    const program = between(page, '<script type="module">', "const __redoc_definition = ")
      .trim()
      .replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[\w-]+\.svg/g, blank);
    const options = between(page, "const __redoc_options = ", ";\n");
    const hash = createHash("sha256").update(program).digest("hex").slice(0, 10);
    return { program, options, file: `redoc.${hash}.js` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function between(page: string, start: string, end: string): string {
  const from = page.indexOf(start) + start.length;
  const to = page.indexOf(end, from);
  if (from < start.length || to < 0) {
    throw new Error(`The page of redocly build-docs has no ${start} … ${end}: see packages/dev/src/redoc.ts.`);
  }
  return page.slice(from, to);
}
