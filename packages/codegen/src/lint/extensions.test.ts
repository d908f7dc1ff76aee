import { readFileSync } from "node:fs";
import { extensions } from "@trainyard/document";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";

const [readme = "", keys = ""] = ["README.md", "keys.md"].map((file) =>
  readFileSync(new URL(`../../../../openapi/${file}`, import.meta.url), "utf8"),
);

it("openapi/README.md describes each key as the linter and the editor do", () => {
  const [, table = ""] = readme.split("\n## The keys\n");
  const rows = [...table.matchAll(/^\| `(x-[a-z-]+)` *\|[^|]+\| ([^|]+?) *\|/gm)].map(([, key, says]) => [key, says]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries([...extensions].map(([key, { says }]) => [key, says])));
});

it("openapi/keys.md shows the schema of each key", () => {
  const shown = [...keys.matchAll(/^`(x-[a-z-]+)`\n+```json\n(.*?)^```$/gms)].map(([, key = "", text = ""]) => [
    key,
    JSON.parse(text),
  ]);
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries([...extensions].map(([key, { schema }]) => [key, schema])),
  );
});

it.each([...extensions])("%s has a strict schema, and a description of its values", (_, extension) => {
  expect(() => new Ajv2020({ strict: true }).compile(extension.schema)).not.toThrow();
  expect(extension.says).toMatch(/^[A-Z].*\.$/);
  expect(extension.mustBe).not.toMatch(/\.$/);
});
