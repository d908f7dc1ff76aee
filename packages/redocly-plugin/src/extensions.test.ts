import { readFileSync } from "node:fs";
import { extensions } from "@trainyard/document";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";

it("has the schema of each key in openapi/README.md", () => {
  const readme = readFileSync(new URL("../../../openapi/README.md", import.meta.url), "utf8");
  const shown = [...readme.matchAll(/^`(x-[a-z-]+)`\n+```json\n(.*?)^```$/gms)].map(([, key = "", text = ""]) => [
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
