import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../../src/lib/temporary-folder.ts";
import { compileConsumer, copyConsumers, sampleConsumers } from "./consumers.ts";

/** A program of another team, with a package that was never installed but lies there. */
function program(types: string) {
  const temporary = makeTemporaryFolder("consumers-test");
  const samples = join(temporary, "samples/planner/src");
  mkdirSync(samples, { recursive: true });
  writeFileSync(
    join(samples, "plan.ts"),
    'import { plan } from "@trainyard/training";\n\nexport const steps: number = plan("a").steps;\n',
  );
  const folder = join(temporary, "consumers");
  const client = join(folder, "node_modules/@trainyard/training");
  mkdirSync(client, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(client, "package.json"),
    '{"name":"@trainyard/training","type":"module","exports":{".":{"types":"./index.d.ts"}}}',
  );
  writeFileSync(join(client, "index.d.ts"), types);
  return copyConsumers(join(temporary, "samples"), folder);
}

describe("a sample consumer", () => {
  it("compiles with a version that has everything it uses", () => {
    const consumers = program("export declare function plan(name: string): { steps: number; cost?: number };");
    expect(() => compileConsumer(consumers, "planner")).not.toThrow();
  });

  it("reports file, line and reason with a version that breaks it", () => {
    const consumers = program("export declare function plan(name: string): { steps: string };");
    expect(() => compileConsumer(consumers, "planner")).toThrow(/planner\/src\/plan\.ts\(3,14\): error TS2322/);
  });
});

it("every sample consumer has a program to run", () => {
  const { folder, names } = copyConsumers(sampleConsumers(), makeTemporaryFolder("consumers-test"));
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !existsSync(join(folder, name, "run.ts")))).toEqual([]);
});
