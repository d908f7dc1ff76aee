/**
 * How a command starts. It loads nothing that an old Node lacks, so that a Node older than the command needs is told so in a
 * sentence rather than by a stack.
 *
 * @module
 */
import { readFileSync } from "node:fs";

/**
 * Starts a command of a package. `--version` prints the package's version. A Node that `engines` of the package rules out is
 * told what the command needs, with exit code 1.
 *
 * @param url `import.meta.url` of the file that the command starts with, one folder below `package.json`
 * @param run loads the command, and runs it with the arguments behind its name
 * @param node the version of Node; that of this process by default
 */
export async function startCommand(
  url: string,
  run: (args: readonly string[]) => Promise<void>,
  node: string = process.versions.node,
): Promise<void> {
  const { name, version, bin, engines }: About = JSON.parse(readFileSync(new URL("../package.json", url), "utf8"));
  const args = process.argv.slice(2);
  if (args[0] === "--version") {
    console.log(version);
    return;
  }
  const needed = Number.parseInt(engines.node.replace(">=", ""), 10);
  if (Number.parseInt(node, 10) >= needed) return run(args);
  const [command = name] = Object.keys(bin);
  const cure = `npx -y -p node@${needed} -p ${name} ${[command, ...args].join(" ")}`;
  console.error(`${command} needs Node ${needed} or newer; this is Node ${node}. With a newer one: ${cure}`);
  process.exitCode = 1;
}

interface About {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  /** `>=24` */
  readonly engines: { readonly node: string };
}
