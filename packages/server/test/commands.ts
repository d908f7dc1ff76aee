// Commands for the people who run a server, in the process of a test.
import { vi } from "vitest";
import * as backup from "../src/cli/backup.ts";
import * as keys from "../src/cli/keys.ts";
import * as marks from "../src/cli/marks.ts";
import * as prune from "../src/cli/prune.ts";
import * as restore from "../src/cli/restore.ts";

const commands = new Map(Object.entries({ backup, keys, marks, prune, restore }));

/** Runs a command in this process, and returns its output, what it said on standard error, and its exit code. */
export async function run(...[name = "", ...args]: string[]): Promise<{ output: string; said: string; code: number }> {
  const lines: string[] = [];
  const said: string[] = [];
  const spies = [
    vi.spyOn(console, "log").mockImplementation((...parts) => void lines.push(parts.join(" "))),
    vi.spyOn(console, "error").mockImplementation((...parts) => void said.push(parts.join(" "))),
  ];
  try {
    await commands.get(name)?.run(args);
    return { output: lines.join("\n"), said: said.join("\n"), code: Number(process.exitCode ?? 0) };
  } catch (error) {
    // As in a program of its own.
    said.push(String(error).replace(/^Error: /, ""));
    return { output: String(error), said: said.join("\n"), code: Number(process.exitCode ?? 1) };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

/** A model, and a log, that a test of a command stores. */
export const modelOf = (name: string) => ({ project: "p", name, base_model: "demo/tiny" });
export const logOf = (text: string) => ({
  split: "s",
  trajectory_groups: [{ trajectories: [{ reward: 1, logs: [text] }] }],
});
