/** @module-tag long */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { libraryRepository } from "@trainyard/testing/library";
import { afterAll, expect, it } from "vitest";
import { preview } from "./preview.ts";

const { root, edit, remove } = libraryRepository();
const out = join(root, "preview");
afterAll(remove);

it("writes nothing if no page changes", async () => {
  edit("openapi.yaml", "openapi: 3.1.0\n", "# A remark of nobody's concern.\nopenapi: 3.1.0\n");
  expect(await preview(root, undefined, out)).toEqual([]);
  expect(existsSync(out)).toBe(false);
});

it("lists the pages that differ, and writes them so that they open from the folder", async () => {
  edit("paths/hours-get.yaml", "summary: ", "summary: All ");
  edit("schemas/Pin.yaml", "description: ", "description: Stuck in. ");
  edit("openapi.yaml", "    delete: { $ref: paths/maps-delete.yaml }\n", "    {}\n");
  const changed = await preview(root, "main", out);
  expect(changed.map(({ what, kind, label }) => `${what} ${kind} ${label}`)).toEqual(
    expect.arrayContaining(["changed operation hours.get", "changed schema Pin", "removed operation maps.delete"]),
  );
  expect(changed.map(({ label }) => label)).not.toContain("maps.create");
  expect(readFileSync(join(out, "reference/atlas/hours.get/index.html"), "utf8")).toMatch(/<h1>All /);
  const files = globSync("**/*.html", { cwd: out });
  expect(files.length).toBeGreaterThan(10);
  const links = files.flatMap((file) =>
    [...readFileSync(join(out, file), "utf8").matchAll(/<(?:a|link)\b[^>]* href="(?!data:)([^"#]+)/g)].map(
      ([, href = ""]) => join(out, dirname(file), href),
    ),
  );
  expect(links.filter((file) => !existsSync(file))).toEqual([]);
});
