import { createRequire } from "node:module";
import { nodeFault, UsageError } from "@trainyard/terminal/command";
import { words } from "./words.ts";

const require = createRequire(import.meta.url);

/** Runs `trainyard`: reads the first word, and leaves the rest to the package that owns it. */
export async function trainyard([name = "help", ...args]: readonly string[]): Promise<void> {
  const word = Object.hasOwn(words, name) ? words[name] : undefined;
  if (word === undefined) {
    if (["help", "--help", "-h"].includes(name)) return console.log(await list());
    const { didYouMean } = await import("@trainyard/document");
    const hint = didYouMean(name, Object.keys(words)) ?? "";
    throw new UsageError(`There is no command ${name}.${hint} \`trainyard --help\` lists the commands.`);
  }
  const line = ["trainyard", name, ...args].join(" ");
  try {
    const fault = nodeFault(require(`${word.owner}/package.json`), `trainyard ${name}`, `trainyard ${line}`);
    if (fault !== undefined) throw new Error(fault);
    const { run, help } = await word.load();
    const isAsked = args.slice(0, args.indexOf("--") >>> 0).some((one) => one === "--help" || one === "-h");
    if (help !== undefined && isAsked) return console.log(help);
    await run(args);
  } catch (error) {
    const lack = error instanceof Error && "code" in error && (await import("./peers.ts")).missingPeer(error, line);
    if (lack) throw new Error(lack, { cause: error });
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\nSee trainyard ${name} --help.`, { cause: error });
  }
}

async function list(): Promise<string> {
  const { textTable } = await import("@trainyard/terminal/table");
  const rows = Object.entries(words).map(([name, { does }]) => [`  ${name}`, does]);
  return `trainyard <command> [arguments]\n\n${textTable(rows).join("\n")}\n
\`trainyard <command> --help\` prints the options of a command, \`trainyard --version\` the version.`;
}
