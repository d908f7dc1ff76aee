import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packages } from "@trainyard/testing/services";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
/** The services that have samples. */
const services = packages.filter(({ name }) => existsSync(join(root, name)));

/** `models.checkpoints.list` → `models-checkpoints-list`, the name of the operation's own file. */
function fileOf(method: string): string {
  return method
    .replaceAll(".", "-")
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

for (const { name: service, operations } of services) {
  it.each([...operations.keys()])(
    `${service}.%s has a sample in each language, which calls it`,
    (method) => {
      const sample = join(root, service, fileOf(method));
      for (const ending of ["ts", "sh", "py"])
        expect(existsSync(`${sample}.${ending}`), `${sample}.${ending}`).toBe(true);
      expect(readFileSync(`${sample}.ts`, "utf8")).toContain(
        `${service}.${method}(`,
      );
    },
  );
}

it("every sample is named after an operation", () => {
  const names = new Set<string>();
  for (const { operations } of services)
    for (const method of operations.keys()) names.add(fileOf(method));
  const found = services.flatMap(({ name }) =>
    globSync(`${name}/*`, { cwd: root }),
  );
  expect(
    found.filter((sample) => !names.has(basename(sample).replace(/\.\w+$/, ""))),
  ).toEqual([]);
});
