/** What a package brings for readers without a browser: the guides about it as Markdown, and AGENTS.md, which lists them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  const own = (guides[name.replace("@trainyard/", "")]?.split(" ") ?? []).map((guide) => `${guide}.md`);
  const to = join(folder, "docs/guides");
  if (own.length > 0) mkdirSync(to, { recursive: true });
  for (const guide of own) {
    const markdown = readFileSync(join(site, "guides", guide), "utf8");
    // A link to a page that the package does not have is its words alone.
    const text = markdown.replaceAll(
      /\[([^\]]*)\]\(\.\.?\/([^)#\s]*)(?:#[^)]*)?\)/g,
      (link, words: string, path: string) => (own.some((one) => path === `guides/${one}`) ? link : words),
    );
    writeFileSync(join(to, guide), text);
  }
  const document = "src/generated/openapi.yaml";
  const named = JSON.stringify(exports ?? {});
  const lines = [
    "- [README.md](README.md): what it is for, and how to use it.",
    ...(named.includes(".d.ts")
      ? ["- [dist](dist): the types of what `exports` in package.json names, with their doc comments."]
      : []),
    ...(named.includes(document) ? [`- [${document}](${document}): each operation.`] : []),
    ...own.flatMap((guide) => index.filter((line) => line.includes(`](guides/${guide})`))),
  ];
  const text = lines.join("\n").replaceAll("](guides/", "](docs/guides/");
  writeFileSync(join(folder, "AGENTS.md"), `# ${name}\n\n${description ?? name}.\n\n${text}\n`);
}
