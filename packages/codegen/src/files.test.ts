import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { difference, isEmpty, write, writeFiles } from "./files.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "trainyard-files-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return join(path, "generated");
}

const files = new Map([
  ["client.ts", "client\n"],
  ["deep/schema.ts", "schema\n"],
]);

it("writes missing files, updates stale ones, and removes surplus ones with their empty folders", () => {
  const path = folder();
  writeFiles(
    path,
    new Map([
      ["client.ts", "old\n"],
      ["gone/away/old.ts", "old\n"],
    ]),
  );
  const expected = { missing: ["deep/schema.ts"], stale: ["client.ts"], surplus: ["gone/away/old.ts"] };
  expect(difference(path, files)).toEqual(expected);
  expect(write(path, files)).toEqual(expected);
  expect(readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
    "client.ts",
    "deep",
    join("deep", "schema.ts"),
  ]);
  expect(readFileSync(join(path, "client.ts"), "utf8")).toBe("client\n");
  expect(isEmpty(difference(path, files))).toBe(true);
});

it("does not touch files that are up to date", () => {
  const path = folder();
  write(path, files);
  const long = new Date(2020, 0, 1);
  for (const file of files.keys()) utimesSync(join(path, file), long, long);
  writeFileSync(join(path, "deep/schema.ts"), "edited\n");
  write(path, files);
  expect(statSync(join(path, "client.ts")).mtime).toEqual(long);
  expect(statSync(join(path, "deep/schema.ts")).mtime).not.toEqual(long);
});

it("leaves no empty folder", () => {
  const path = folder();
  write(path, files);
  write(path, new Map());
  expect(readdirSync(join(path, ".."))).toEqual([]);
});
