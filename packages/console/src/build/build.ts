import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("..", import.meta.url));

/** Builds the console's pages into a folder: one page, one script, one style sheet, one icon. */
export async function buildConsole(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: { console: join(source, "main.tsx"), style: join(source, "style.css") },
    outdir: folder,
    bundle: true,
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
