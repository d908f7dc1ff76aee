import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadBase } from "@trainyard/tiny/build";
import { build, transform, type BuildOptions } from "esbuild";
import { samples } from "../../places.ts";
import { sampleFacts } from "./samples.ts";
import { columns, packWeights } from "../weights.ts";
import { swapped } from "./swapped.ts";
import { writeValidators } from "./validators.ts";

const source = join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const services = ["auxiliary", "inference", "local", "training"] as const;

/** What an edited sample can import: the entries of the clients that are built from their source. */
const modules = ["auxiliary", "inference", "training"].flatMap((name) => {
  const manifest: { exports: Readonly<Record<string, object>> } = require(`@trainyard/${name}/package.json`);
  const entries = Object.entries(manifest.exports).filter(([, to]) => "@trainyard/source" in Object(to));
  return entries.map(([entry]) => `@trainyard/${name}${entry.slice(1)}`);
});

/** Builds the files that a page loads at its first run into a folder. */
export async function buildPage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const facts = sampleFacts();
  const written = services.map((name) => ({ name, ...writeValidators(name) }));
  const programs = [...facts].flatMap(([file, fact]) =>
    fact.runs ? [[`samples/${fact.name}`, join(samples, file)]] : [],
  );
  const options = {
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@trainyard/source"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  } satisfies BuildOptions;
  const { metafile } = await build({
    ...options,
    entryPoints: {
      worker: join(source, "worker/worker.ts"),
      frame: join(source, "frame.ts"),
      ...Object.fromEntries([...programs, ...modules.map((name) => [`modules/${name}`, name])]),
    },
    // Its package has the clients.
    absWorkingDir: source,
    chunkNames: "chunks/[hash]",
    splitting: true,
    metafile: true,
    plugins: [
      swapped({
        "trainyard:story": async () => ({ contents: writeStory() }),
        "trainyard:modules": async () => ({ contents: `export const modules = ${JSON.stringify(modules)};` }),
        "trainyard:validators": async () => ({
          contents: [
            ...services.map((name) => `import { table as ${name} } from "trainyard:validators/${name}";`),
            `export const built = {${written.map(({ name, title }) => `${JSON.stringify(title)}: ${name}`).join(", ")}};`,
          ].join("\n"),
        }),
        ...Object.fromEntries(
          written.map(({ name, code }) => [
            `trainyard:validators/${name}`,
            async () => ({ contents: code, resolveDir: source }),
          ]),
        ),
      }),
    ],
  });
  for (const [file, { imports }] of Object.entries(metafile.outputs)) {
    const left = imports.find(({ external }) => external);
    if (left !== undefined)
      throw new Error(
        `${file} imports ${left.path}, which a page does not have. Add its replacement to build/swapped.ts.`,
      );
  }
  // Each in one file: a page cannot import a file again that it could not load, unless its address changes.
  const files = ["run", "learn"].flatMap((name) => [
    join(source, name, `${name}.ts`),
    join(source, name, `${name}.css`),
  ]);
  await build({ ...options, entryPoints: files, entryNames: "[name]", splitting: false });
  writeFileSync(join(folder, "console.css"), await consoleStyles());
  copyFileSync(join(source, "frame.html"), join(folder, "frame.html"));
  copyFileSync(require.resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm"), join(folder, "sqlite3.wasm"));
  const { weights } = await loadBase();
  // With the ending `.gz`, some servers send it as an encoded body, which the browser decodes before the worker does.
  writeFileSync(join(folder, "base.weights"), gzipSync(packWeights(weights, columns), { level: 9 }));
}

/** A module with the data that `pnpm start` imports, in its order. */
function writeStory(): string {
  const read = (file: string): string => readFileSync(join(samples, "start", file), "utf8");
  const imports: readonly { readonly file: string }[] = JSON.parse(read("data/imports.json"));
  const story = imports.map(({ file, ...rest }) => {
    const lines = read(file).trim().split("\n");
    return { ...rest, records: lines.map((line): unknown => JSON.parse(line)) };
  });
  return `export const story = ${JSON.stringify(story)};`;
}

/** The console's styles for a shadow tree in another page, whose width differs from the window's. */
async function consoleStyles(): Promise<string> {
  const styles = readFileSync(fileURLToPath(import.meta.resolve("@trainyard/console/style.css")), "utf8")
    // The page has loaded the theme, whose variables apply in the tree.
    .replace('@import "./theme.css";', "")
    .replaceAll(/^(html|body) \{/gm, ":host {")
    .replaceAll(/@media \((max|min)-width/g, "@container ($1-width");
  const { code } = await transform(
    `${styles}\n.console { container-type: inline-size; } :host { background: none; }\n`,
    {
      loader: "css",
      minify: true,
    },
  );
  return code;
}
