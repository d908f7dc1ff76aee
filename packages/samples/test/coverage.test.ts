import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { operations as auxiliary } from "@trainyard/auxiliary";
import { operations as inference } from "@trainyard/inference";
import { operations as training } from "@trainyard/training";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const services = { training, inference, auxiliary };

/** `models.checkpoints.list` → `models-checkpoints-list`, as the operation's own file is named. */
function fileOf(method: string): string {
  return method
    .replaceAll(".", "-")
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

for (const [service, operations] of Object.entries(services)) {
  it.each(Object.keys(operations))(
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

it("every sample is named for an operation", () => {
  const names = new Set<string>();
  for (const operations of Object.values(services))
    for (const method of Object.keys(operations)) names.add(fileOf(method));
  const found = globSync("{training,inference,auxiliary}/*", { cwd: root });
  expect(
    found.filter((sample) => !names.has(basename(sample).replace(/\.\w+$/, ""))),
  ).toEqual([]);
});
