import { basename } from "node:path";
import { expect, it } from "vitest";
import { isThere } from "./trainer.ts";

it.each<[string, boolean, string?]>([
  [process.execPath, true],
  [basename(process.execPath), true],
  ["./trainer.ts", true, import.meta.dirname],
  ["./trainer.ts", false],
  ["no-such-trainer", false],
  ["/no/such/trainer", false],
])("searches for %s, with the result %s", (program, found, cwd) => {
  expect(isThere({ command: [program], ...(cwd !== undefined && { cwd }) })).toBe(found);
});
