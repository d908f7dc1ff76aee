import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const formatter = fileURLToPath(new URL("bin/oxfmt", import.meta.resolve("oxfmt/package.json")));

/** Formats files with the settings of the repository. Returns whether it succeeded. */
export async function format(root: string, files: readonly string[]): Promise<boolean> {
  const args = [formatter, "--no-error-on-unmatched-pattern", ...files];
  return promisify(execFile)(process.execPath, args, { cwd: root }).then(
    () => true,
    () => false,
  );
}
