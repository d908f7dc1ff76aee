import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { root } from "../lib/workspace.ts";

/** What can be read about a line of the list: one of the three, with the words that say it. */
export type Fact = { readonly done: string } | { readonly missing: string } | { readonly unknown: string };

/** The JSON that another program prints, without spaces between its parts; empty if there is no such thing. */
export type Answer = { readonly text: string } | { readonly why: string };

/** Asks another program for JSON. What they print besides JSON is not shown, because it can hold a token. */
export async function ask(command: "gh" | "npm" | "pnpm", ...args: readonly string[]): Promise<Answer> {
  const options = { cwd: root, timeout: 60_000, shell: process.platform === "win32" };
  try {
    const { stdout } = await promisify(execFile)(command, args, options);
    return { text: stdout.trim() === "" ? "" : JSON.stringify(JSON.parse(stdout)) };
  } catch (error) {
    const { code, stdout = "" }: { code?: unknown; stdout?: unknown } = Object(error);
    if (code === "ENOENT") return { why: `\`${command}\` is not installed` };
    const [, reason] = /"(?:code|status)": ?"(?:ERR_PNPM_FETCH_|E(?=\d))?(\w+)"/.exec(String(stdout)) ?? [];
    if (reason === "404") return { text: "" };
    const login = command === "gh" ? "gh auth login" : "npm login";
    return { why: `\`${command} ${args[0]}\` did not answer (${reason ?? "no reason given"}). It may need: ${login}` };
  }
}
