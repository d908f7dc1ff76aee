/** @module-tag long */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Prints the size of the young generation in MiB after a load, after a collection of the whole heap, and after another load. */
const program = (start: string) => `
  import { getHeapSpaceStatistics } from "node:v8";
  import { setTimeout as sleep } from "node:timers/promises";
  ${start}
  const size = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space").space_size / 2 ** 20;
  // At most 30 MB are in use at a time.
  async function load() {
    const kept = [];
    for (let round = 0; round < 60; round++) {
      for (let at = 0; at < 10; at++) kept[(round * 10 + at) % 300] = Array.from({ length: 2000 }, (_, index) => ({ index, text: "x" + index }));
      await new Promise(setImmediate);
    }
    return size();
  }
  const first = await load();
  // The same that V8 does on its own in a heap where little is allocated.
  gc({ type: "major", execution: "sync", flavor: "last-resort" });
  const collected = size();
  await sleep(1);
  console.log(JSON.stringify([first, collected, await load()]));
`;
const sizesOf = (start: string): [loaded: number, collected: number, again: number] =>
  JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program(start)], {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
    }),
  );

it("lets the young generation grow to 32 MiB and no further, also after it has shrunk", () => {
  const module = fileURLToPath(new URL("heap-settings.ts", import.meta.url));
  const [loaded, collected, again] = sizesOf(`(await import(${JSON.stringify(module)})).limitYoungGeneration();`);
  expect(collected).toBeLessThan(16);
  for (const size of [loaded, again]) {
    expect(size).toBeGreaterThanOrEqual(16);
    expect(size).toBeLessThanOrEqual(32);
  }
  expect(sizesOf("")[0]).toBeGreaterThan(32);
});
