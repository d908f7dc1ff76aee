#!/usr/bin/env node
import { startCommand } from "@trainyard/terminal/command";

await startCommand(import.meta.url, async (args) => {
  const { trainyard } = await import("./command.ts");
  await trainyard(args);
});
