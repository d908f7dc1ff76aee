/**
 * Starts a command. This module loads nothing that old versions of Node lack, so that they print a message instead of a
 * stack.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import module from "node:module";

/**
 * Starts a command of a package. `--version` prints the package's version. If the package's `engines` exclude this version
 * of Node, the command prints the required one and exits with code 1. If the reader of its output closes the pipe, as `head`
 * does, a command that listens for signals to stop ends as after SIGTERM, unless it is a {@link daemon}; any other runs to its
 * end, so that it leaves nothing half-written, and its exit code is that of its work. If it throws, its message is printed on
 * standard error, and it exits with the code that it has set, or 1, and with 2 if what was typed {@link isMisuse is at fault}.
 *
 * @param url `import.meta.url` of the command's entry file, one folder below `package.json`
 * @param run loads the command, and runs it with the arguments after its name
 * @param node the version of Node; default: that of this process
 */
export async function startCommand(url: string, run: (args: string[]) => Promise<void>, node?: string): Promise<void> {
  let isStopping = false;
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      // Each write fails anew, and a second signal would end the command at once.
      isStopping ||= process.emit("SIGTERM", "SIGPIPE");
    });
  const about: About = JSON.parse(readFileSync(new URL("../package.json", url), "utf8"));
  const { name, version } = about;
  const args = process.argv.slice(2);
  if (args[0] === "--version") {
    console.log(version);
    return;
  }
  const [command = name] = Object.keys(about.bin ?? {});
  const fault = nodeFault(about, command, `${name} ${[command, ...args].join(" ")}`, node);
  if (fault === undefined) {
    // Compiled code is kept in the folder for temporary files (`NODE_COMPILE_CACHE` names another), so that later starts are
    // faster. Node 20 has no such cache.
    if ("enableCompileCache" in module) module.enableCompileCache();
    await run(args).catch(fail);
  } else fail(fault);
}

/**
 * Keeps a command that serves running without its output: the reader of its log may end, or its disk may be full. It stops
 * at SIGINT and SIGTERM; SIGHUP, the end of a terminal, stops only what was started on one. Call it before any output.
 *
 * @returns a promise of the signal to stop, and how many writes were lost
 */
export function daemon(): { readonly stopped: Promise<void>; readonly lost: () => number } {
  const streams = [process.stdout, process.stderr];
  let lost = 0;
  for (const stream of streams) stream.removeAllListeners("error").on("error", () => lost++);
  const isOnTerminal = [process.stdin, ...streams].some(({ isTTY }) => isTTY);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    process.on("SIGHUP", () => void (isOnTerminal && resolve()));
  });
  return { stopped, lost: () => lost };
}

/** Says why, and ends with code 2 if what was typed is at fault, else with the one that the command has set, or 1. */
function fail(why: unknown): void {
  console.error(why instanceof Error ? why.message : String(why));
  process.exitCode = isMisuse(why) ? 2 : process.exitCode || 1;
}

/** The arguments of a command are invalid. The message says what to type. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** Whether what was typed is at fault: the arguments, the document that they name, or the options of what they start. */
export function isMisuse(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof Error && /^(Document|Option)Error$/.test(error.name));
}

/**
 * Says that a package needs a newer Node, and how to get one for this call; undefined if it does not.
 *
 * @param command what needs it: `trainyard serve`
 * @param line the package and the whole call, for npx: `trainyard trainyard serve --port 0`
 */
export function nodeFault(
  { engines }: Pick<About, "engines">,
  command: string,
  line: string,
  node: string = process.versions.node,
): string | undefined {
  const needed = Number.parseInt(engines.node.replace(">=", ""), 10);
  if (Number.parseInt(node, 10) >= needed) return undefined;
  return `${command} needs Node ${needed} or newer; this is Node ${node}. With a newer one: npx -y -p node@${needed} -p ${line}`;
}

/** What a package.json says about a command. */
interface About {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  /** `>=24` */
  readonly engines: { readonly node: string };
}
