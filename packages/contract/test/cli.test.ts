/** @module-tag long */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../src");

function command(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run("cli.ts", args);
}

function run(cli: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ["--conditions=@trainyard/source", join(source, cli), ...args]);
}

it.concurrent.each([
  [["basis", "--format", "html"], 'The format "html" does not exist. Choose text, json.\n'],
  [["check", "a", "b"], "Name at most one revision to compare with.\n"],
  [["check", "--uses", "nowhere.json"], "The file nowhere.json does not exist. Make it with: npx trainyard uses"],
  [["basis", "--colour"], "There is no option --colour. See --help.\n"],
  [["fetch"], '`pnpm contract` has no part "fetch". Its parts are:'],
])("rejects %j in one sentence", async (args, sentence) => {
  await expect(command(...args)).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(sentence),
  });
});

it("prints its usage", async () => {
  const { stdout } = await command("basis", "--help");
  expect(stdout).toMatch(/^contract basis \[--format/);
  expect(stdout).not.toContain("contract check");
});

it("names a missing argument, and prints the usage of what is new", async () => {
  await expect(run("new/cli.ts", ["service"])).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: "Name of the service is required: give it after the word service.\n",
  });
  expect((await run("new/cli.ts", ["--help"])).stdout).toMatch(
    /^contract new operation <service> <method> .*\n[^]*contract new schema <service\|common> <Name>/,
  );
});
