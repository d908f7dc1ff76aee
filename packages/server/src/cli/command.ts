import { startFault } from "../start-fault.ts";

// What a command needs is loaded once it is known which one it is: `call` starts without the server.

/** Runs `trainyard`. What went wrong is said on standard error, with exit code 1. */
export async function trainyard([command = "help", ...args]: readonly string[]): Promise<void> {
  const wantsHelp = args.includes("--help") || args.includes("-h");
  /** The commands, each with what runs it. */
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
    slurm: async () => {
      const { slurmCommand, slurmHelp } = await import("./slurm.ts");
      const own = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
      return own.includes("--help") ? console.log(slurmHelp) : slurmCommand(args);
    },
    call: async () => (await import("./live.ts")).call(args),
    verify: async () => (await import("./live.ts")).verify(args),
  };
  try {
    const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (run !== undefined) await run();
    else {
      const [{ serveHelp }, { importHelp }, { slurmHelp }, { callHelp }, { verifyHelp }] = await Promise.all([
        import("./serve-settings.ts"),
        import("./import.ts"),
        import("./slurm.ts"),
        import("@trainyard/live/call"),
        import("@trainyard/live/verify"),
      ]);
      const version = "trainyard --version: prints the version";
      console.log([serveHelp, importHelp, slurmHelp, callHelp.trim(), verifyHelp, version].join("\n\n"));
      if (!["help", "--help", "-h"].includes(command)) throw new Error(`There is no command ${command}.`);
    }
  } catch (error) {
    const fault = startFault(error);
    console.error(fault instanceof Error ? fault.message : fault);
    process.exitCode = 1;
  }
}
