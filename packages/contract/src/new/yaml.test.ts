import { expect, it } from "vitest";
import { readYaml, toYaml, withEntry, withTag } from "./yaml.ts";

const text = `# Above
tags:
  - name: a
    description: >-
      First
      tag.
  # About c.
  - name: c
paths:
  /a: # slash a
    get:
      $ref: a.yaml

  # About b.
  /b:
    get: { $ref: b.yaml }
components: {}
`;

it("adds an entry to the end of a map, at any depth, and keeps order and comments", () => {
  const now = withEntry(withEntry(text, ["paths", "/aa", "get"], {}), ["paths", "/a", "post"], {});
  const { paths } = readYaml(now, "x");
  expect(JSON.stringify(paths)).toBe(
    JSON.stringify({
      "/a": { get: { $ref: "a.yaml" }, post: {} },
      "/b": { get: { $ref: "b.yaml" } },
      "/aa": { get: {} },
    }),
  );
  expect(now).toContain("\n\n  # About b.\n  /b:");
});

it("adds a tag in alphabetical order, once", () => {
  const now = withTag(text, "b", "B.");
  expect(readYaml(now, "x")["tags"]).toEqual([
    { name: "a", description: "First tag." },
    { name: "b", description: "B." },
    { name: "c" },
  ]);
  expect(now).toContain("  # About c.");
  expect(withTag(now, "b", "Another.")).toBe(now);
});

it("names a file that is no YAML object", () => {
  expect(() => readYaml("a: [", "x.yaml")).toThrow("x.yaml does not contain a YAML object.");
});

it("writes in the style of the documents", () => {
  const long = "A sentence that is longer than fits on a line, so that it is folded over several lines of the file. "
    .repeat(2)
    .trim();
  const value = { required: ["a", "b"], type: ["string", "null"], description: long, responses: { "200": {} } };
  const yaml = toYaml(value);
  expect(yaml).toMatch(
    /^required: \[a, b\]\ntype: \[string, "null"\]\ndescription: >-\n {2}A sentence .*\n {2}.*\nresponses:\n {2}"200": \{\}\n$/,
  );
  expect(readYaml(yaml, "x")).toEqual(value);
});
