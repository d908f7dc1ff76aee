import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
const fixtures = join(import.meta.dirname, "fixtures");

it("five mistakes cause five errors that name the type and the cure", () => {
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", fixtures, "--pretty", "false"], {
    cwd: fixtures,
    encoding: "utf8",
  });
  expect(stdout).toMatchInlineSnapshot(`
    "five-errors.ts(5,46): error TS2561: Object literal may only specify known properties, but 'rewards' does not exist in type 'Trajectory'. Did you mean to write 'reward'?
    five-errors.ts(6,73): error TS2561: Object literal may only specify known properties, but 'tool_call' does not exist in type 'ToolMessage'. Did you mean to write 'tool_call_id'?
    five-errors.ts(7,65): error TS2322: Type '"robot"' is not assignable to type '"assistant" | "developer" | "function" | "system" | "tool" | "user"'.
    five-errors.ts(8,29): error TS2741: Property 'base_model' is missing in type '{ project: string; name: string; }' but required in type 'CreateModelRequest'.
    five-errors.ts(9,47): error TS2322: Type '"up"' is not assignable to type '"asc" | "desc" | undefined'.
    "
  `);
});
