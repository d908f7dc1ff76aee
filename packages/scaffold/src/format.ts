import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const formatter = fileURLToPath(new URL("bin/oxfmt", import.meta.resolve("oxfmt/package.json")));

/** Brings files into the repository's format, with the settings that hold where they are. Says whether it could. */
export async function format(root: string, files: readonly string[]): Promise<boolean> {
  const args = [formatter, "--no-error-on-unmatched-pattern", ...files];
  return promisify(execFile)(process.execPath, args, { cwd: root }).then(
    () => true,
    () => false,
  );
}
