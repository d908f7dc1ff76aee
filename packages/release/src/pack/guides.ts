/** What a package brings for readers without a browser: the guides about it as Markdown, and AGENTS.md, which lists them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { readHome, siteOf } from "../lib/home.ts";
import { type Manifest, root } from "../lib/workspace.ts";

const site = join(root, "packages/docs/dist");

/** The guides of each package, the most useful first, of at most 60 kB together. */
const guides: Readonly<Record<string, string>> = {
  trainyard: "getting-started own-document shell verify console",
  training: "program authentication errors logging training rollouts",
  inference: "program authentication chat errors retries lists options",
  auxiliary: "program authentication feedback-statistics objects errors retries lists",
  core: "options errors retries lists chat hooks browser",
  mock: "testing",
  local: "testing marks",
  server: "console marks team proxy trainers",
  slurm: "cluster trainers",
  codegen: "own-document from-openapi-typescript",
  live: "shell verify",
};

/** Writes both into the folder of a package. @throws Error if the site, from which they are taken, is not built */
export function addGuides(folder: string, { name, description, exports }: Manifest): void {
  const list = join(site, "llms.txt");
  if (!existsSync(list)) throw new Error("Build the site, whose guides are packed: npx -y pnpm@12 run docs build");
  const index = readFileSync(list, "utf8").split("\n");
  const names = guides[name.replace("@trainyard/", "")]?.split(" ") ?? [];
  const paths = names.map((guide) => `guides/${guide}.md`);
  const lines = paths.map((path) => {
    const line = index.find((one) => one.includes(`](${path})`));
    if (line === undefined) throw new Error(`The site has no ${path}. Correct its name in packages/release/src/pack.`);
    put(join(folder, "docs", path), withLinks(readFileSync(join(site, path), "utf8"), path, paths));
    return line.replace("](", "](docs/");
  });
  const document = "openapi.yaml";
  const agents = [
    `# ${name}`,
    `${description ?? ""}.`,
    [
      "- [README.md](README.md): how to install it, and a first example.",
      "- [dist](dist): the types of what `exports` in package.json names. Each has a doc comment.",
      ...(JSON.stringify(exports ?? {}).includes(document)
        ? [`- [src/generated/${document}](src/generated/${document}): the operations of the service.`]
        : []),
      ...lines,
    ].join("\n"),
  ];
  put(join(folder, "AGENTS.md"), `${agents.join("\n\n")}\n`);
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Links to pages that the package does not have lead to the site, or are words alone while it has no address. */
function withLinks(markdown: string, path: string, own: readonly string[]): string {
  const address = siteOf(readHome());
  return markdown.replaceAll(
    /\[((?:[^\][]|\[[^\][]*\])*)\]\((\.{1,2}\/[^)#\s]*)(#[^)\s]*)?\)/g,
    (link, words: string, to: string, hash = "") => {
      const target = posix.join(posix.dirname(path), to);
      if (own.includes(target)) return link;
      return address === undefined ? words : `[${words}](${address}${target}${hash})`;
    },
  );
}
