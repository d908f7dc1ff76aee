import { importCommand, importHelp } from "./import.ts";
import { serveCommand, serveHelp } from "./serve.ts";

/** Runs `trainyard`. What went wrong is said on standard error, with exit code 1. */
export async function trainyard([command, ...args]: readonly string[]): Promise<void> {
  const wantsHelp = args.includes("--help") || args.includes("-h");
  try {
    if (command === "serve") await (wantsHelp ? console.log(serveHelp) : serveCommand(args));
    else if (command === "import") await (wantsHelp ? console.log(importHelp) : importCommand(args));
    else {
      console.log(`${serveHelp}\n\n${importHelp}\n\ntrainyard --version: prints the version`);
      const asked = command === undefined || command === "help" || command === "--help" || command === "-h";
      if (!asked) throw new Error(`There is no command ${command}.`);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
