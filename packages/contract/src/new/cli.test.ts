/** @module-tag long */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

function command(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const cli = join(import.meta.dirname, "cli.ts");
  return promisify(execFile)(process.execPath, ["--conditions=@trainyard/source", cli, ...args]);
}

it("names a missing argument, and prints its usage", async () => {
  await expect(command("service")).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: "Name of the service is required: give it after the word service.\n",
  });
  expect((await command("--help")).stdout).toMatch(
    /^contract new operation <service> <method> .*\n[^]*contract new schema <service\|common> <Name>/,
  );
});
