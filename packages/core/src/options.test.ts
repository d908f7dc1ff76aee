import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const options = [...read("options.ts").matchAll(/^export interface \w+Options.*?^}/gms)].flatMap(([text]) =>
  Array.from(text.matchAll(/^ {2}(\w+)\?:/gm), ([, name = ""]) => name),
);
const tests = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".test.ts") && file !== "options.test.ts")
  .map(read)
  .join("\n");

describe.each([...new Set(options)])("the option %s", (name) => {
  it("is passed in a test beside options.ts", () =>
    expect(tests, `Write a test of ${name} in packages/core/src`).toMatch(new RegExp(`\\b${name}(:| }|,)`)));
});
