import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("..", import.meta.url));

/** Builds the console's pages into a folder: one page, a script, those of pages that are not always needed, a style sheet, an icon. */
export async function buildConsole(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Scripts of an earlier build have other names.
  for (const file of await readdir(folder)) if (file.endsWith(".js")) await rm(join(folder, file));
  await build({
    entryPoints: { console: join(source, "main.tsx"), style: join(source, "style.css") },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@trainyard/source"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  });
  for (const file of ["index.html", "icon.svg"]) await copyFile(join(source, file), join(folder, file));
}
