import { isArgumentError } from "@trainyard/host/command";
import { startFault } from "../start-fault.ts";

// Each command loads its modules when it runs: `call` starts without the server.

/** Runs `trainyard`. Errors are printed on standard error, with exit code 1. */
export async function trainyard([command = "help", ...args]: readonly string[]): Promise<void> {
  const wantsHelp = args.includes("--help") || args.includes("-h");
  /** The commands, each with its implementation. */
  const commands: Readonly<Record<string, () => Promise<unknown>>> = {
    serve: async () => {
      const [{ serveCommand }, { serveHelp }] = await Promise.all([
        import("./serve.ts"),
        import("./serve-settings.ts"),
      ]);
      return wantsHelp ? console.log(serveHelp) : serveCommand(args);
    },
    import: async () => {
      const { importCommand, importHelp } = await import("./import.ts");
      return wantsHelp ? console.log(importHelp) : importCommand(args);
    },
    keys: async () => {
      const { keysCommand, keysHelp } = await import("./keys.ts");
      return wantsHelp ? console.log(keysHelp) : keysCommand(args);
    },
    backup: async () => {
      const { backupCommand, backupHelp } = await import("./backup.ts");
      return wantsHelp ? console.log(backupHelp) : backupCommand(args);
    },
    call: async () => (await import("./live.ts")).call(args),
    verify: async () => (await import("./live.ts")).verify(args),
  };
  try {
    const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (run !== undefined) await run();
    else {
      const help = await Promise.all([
        import("./serve-settings.ts").then(({ serveHelp }) => serveHelp),
        import("./import.ts").then(({ importHelp }) => importHelp),
        import("./keys.ts").then(({ keysHelp }) => keysHelp),
        import("./backup.ts").then(({ backupHelp }) => backupHelp),
        import("@trainyard/live/call").then(({ callHelp }) => callHelp.trim()),
        import("@trainyard/live/verify").then(({ verifyHelp }) => verifyHelp),
      ]);
      console.log([...help, "trainyard --version: prints the version"].join("\n\n"));
      if (!["help", "--help", "-h"].includes(command))
        throw new Error(`There is no command ${command}. The commands are listed above.`);
    }
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
