#!/usr/bin/env node
import { startCommand } from "@trainyard/host/command";

await startCommand(import.meta.url, async (args) => {
  const { serve } = await import("./serve.ts");
  await serve(args);
});
