import { readReleases } from "@trainyard/codegen/releases";

/**
 * How a program gets these packages, in Markdown: READMEs, guides and new packages say it in the same words. The table of
 * releases decides it: what is released is in the npm registry, and before that, packages come from a clone.
 *
 * @param names the packages; without any, those that most callers need
 */
export function installText(root: string, names: readonly string[]): string {
  const isReleased = readReleases(root).length > 0;
  const all = names.length > 0 ? names : ["training", "inference", "auxiliary", "mock"];
  const scoped = all.map((name) => (name === "trainyard" ? name : `@trainyard/${name}`));
  if (isReleased) return block(`npm install ${scoped.join(" ")}`);
  const intro = "The packages are not in the npm registry yet. In a clone of the repository, put";
  const line = block(["npx -y pnpm@12 release pack --into ../my-program", ...names].join(" "));
  const inNew =
    "your program, here in the folder `my-program` beside the clone, which may be new. Install there with npm, pnpm, yarn or bun:";
  if (names.length > 0) return `${intro} the package and what it needs into\n${inNew}\n\n${line}`;
  return `${intro} the clients, the mock and what they need into\n${inNew}\n\n${line}\n
The command prints a first program. It also takes names of packages: \`--into ../my-program training trainyard\`. Run it again after an
update of the clone: it replaces its own lines, and keeps what you have set yourself. Commit \`vendor/trainyard\` with your program.`;
}

/** How the command is run, in one sentence. */
export function commandText(root: string): string {
  const clone = "`npx -y pnpm@12 trainyard` in the root of a clone of the repository";
  if (readReleases(root).length > 0) return `Run \`trainyard\` as \`npx trainyard\`, or as ${clone}.`;
  return `Run \`trainyard\` as ${clone}, or as \`npx trainyard\` in a\nprogram into which \`npx -y pnpm@12 release pack --into ../my-program trainyard\` has put it.`;
}

function block(command: string): string {
  return `\`\`\`sh\n${command}\n\`\`\``;
}
