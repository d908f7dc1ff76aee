/** @module-tag long */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const cli = join(import.meta.dirname, "../src/cli.ts");

function command(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ["--conditions=@trainyard/source", cli, ...args]);
}

it.concurrent.each([
  [["basis", "--format", "html"], 'The format "html" does not exist. Choose text, markdown, json.\n'],
  [["check", "a", "b"], "Name at most one revision to compare with.\n"],
  [["check", "--uses", "nowhere.json"], "The file nowhere.json does not exist. Make it with: npx trainyard uses"],
  [["basis", "--colour"], "Unknown option '--colour'. See --help.\n"],
  [["fetch"], "contract check [revision] [--format"],
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
