import { isArgumentError } from "@trainyard/host/command";
import { startFault } from "../start-fault.ts";

// Each command loads its modules when it runs: `call` starts without the server.

const commands: Readonly<Record<string, () => Promise<CommandModule>>> = {
  serve: () => import("./serve.ts"),
  import: () => import("./import.ts"),
  keys: () => import("./keys.ts"),
  backup: () => import("./backup.ts"),
};

interface CommandModule {
  readonly help: string;
  readonly run: (args: string[]) => Promise<void>;
}

/** Runs `trainyard`. Errors are printed on standard error, with exit code 1. */
export async function trainyard([command = "help", ...args]: readonly string[]): Promise<void> {
  try {
    if (command === "call" || command === "verify") return await (await import("./live.ts"))[command](args);
    const read = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (read !== undefined) {
      const { run, help } = await read();
      return await (args.includes("--help") || args.includes("-h") ? console.log(help) : run(args));
    }
    const help = await Promise.all([
      ...Object.values(commands).map(async (one) => (await one()).help),
      import("@trainyard/live/call").then(({ callHelp }) => callHelp.trim()),
      import("@trainyard/live/verify").then(({ verifyHelp }) => verifyHelp),
    ]);
    console.log([...help, "trainyard --version: prints the version"].join("\n\n"));
    if (!["help", "--help", "-h"].includes(command))
      throw new Error(`There is no command ${command}. The commands are listed above.`);
  } catch (error) {
    const fault = startFault(error);
    const message = fault instanceof Error ? fault.message : String(fault);
    console.error(
      isArgumentError(error)
        ? `${message.replace(/\.$/, "")}. \`trainyard ${command} --help\` lists the options.`
        : message,
    );
    process.exitCode = 1;
  }
}
