import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Keeps 30 MB of young objects at all times while it makes more, and prints how large the young generation became, in MiB. */
const program = (start: string) => `
  import { getHeapSpaceStatistics } from "node:v8";
  ${start}
  const kept = [];
  for (let round = 0; round < 60; round++) {
    for (let at = 0; at < 10; at++) kept[(round * 10 + at) % 300] = Array.from({ length: 2000 }, (_, index) => ({ index, text: "x" + index }));
    await new Promise(setImmediate);
  }
  console.log(getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space").space_size / 2 ** 20);
`;
const sizeOf = (start: string) =>
  Number(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program(start)], {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
    }),
  );

it("stops the growth of the young generation at 32 MiB", () => {
  const module = fileURLToPath(new URL("young-generation.ts", import.meta.url));
  const limited = sizeOf(`(await import(${JSON.stringify(module)})).limitYoungGeneration();`);
  expect(limited).toBeGreaterThanOrEqual(16);
  expect(limited).toBeLessThanOrEqual(32);
  expect(sizeOf("")).toBeGreaterThan(32);
});
