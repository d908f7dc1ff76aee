#!/usr/bin/env node
import { importCommand, importHelp } from "./cli/import.ts";
import { serveCommand, serveHelp } from "./cli/serve.ts";

const [command, ...args] = process.argv.slice(2);
const wantsHelp = args.includes("--help") || args.includes("-h");

try {
  if (command === "serve") await (wantsHelp ? console.log(serveHelp) : serveCommand(args));
  else if (command === "import") await (wantsHelp ? console.log(importHelp) : importCommand(args));
  else {
    console.log(`${serveHelp}\n\n${importHelp}`);
    const asked = command === undefined || command === "help" || command === "--help" || command === "-h";
    if (!asked) throw new Error(`There is no command ${command}.`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
