import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { redocly } from "@trainyard/codegen/redocly";
import { between, redocScript, type RedocScript } from "@trainyard/docs/redoc-script";

/** What shows a reference in a browser, for documents of any content. */
export interface Redoc extends Pick<RedocScript, "program" | "file"> {
  /** How the references of the site look, as JSON. */
  readonly options: string;
}

const configuration = fileURLToPath(import.meta.resolve("@trainyard/docs/redocly.yaml"));
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
    const { program, file, rest } = redocScript(await readFile(output, "utf8"));
    return { program, file, options: between(rest, "const __redoc_options = ", ";\n") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
