import { expect, it } from "vitest";
import { insertYaml, readYaml, toYaml } from "./yaml.ts";

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

it("adds an entry to the end of a map, and changes nothing else", () => {
  const now = insertYaml(text, ["paths"], "/c:\n  get: {}");
  expect(now).toBe(text.replace("components:", "  /c:\n    get: {}\ncomponents:"));
});

it("adds an entry before another", () => {
  const now = insertYaml(text, ["paths"], "/aa:\n  get: {}", (_, key) => key === "/b");
  expect(readYaml(now, "x")["paths"]).toEqual({
    "/a": { get: { $ref: "a.yaml" } },
    "/aa": { get: {} },
    "/b": { get: { $ref: "b.yaml" } },
  });
  expect(now.replace("  /aa:\n    get: {}\n", "")).toBe(text);
});

it("adds an entry to a nested map, and to a list", () => {
  expect(insertYaml(text, ["paths", "/a"], "post: {}")).toBe(text.replace("a.yaml\n", "a.yaml\n    post: {}\n"));
  const now = insertYaml(text, ["tags"], "- name: b\n  description: B.", (item) =>
    JSON.stringify(item).includes('"c"'),
  );
  expect(readYaml(now, "x")["tags"]).toEqual([
    { name: "a", description: "First tag." },
    { name: "b", description: "B." },
    { name: "c" },
  ]);
});

it("rejects a path that does not exist or is empty", () => {
  expect(() => insertYaml(text, ["apis"], "a: 1")).toThrow("There is no apis to add to.");
  expect(() => insertYaml(text, ["components"], "a: 1")).toThrow("components is empty.");
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
