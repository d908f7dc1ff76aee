import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generated, library, refusal } from "./library.ts";
import { generate } from "../src/generate.ts";
import { applyOverlay, readOverlay } from "@trainyard/document/files";

const document = { info: { title: "Atlas", tags: ["a"] }, servers: [{ url: "/a" }, { url: "/b" }, { url: "/c" }] };

function applied(target: string, action: { update?: unknown; copy?: string; remove?: boolean }): unknown {
  const actions = [{ target, remove: false, line: 1, ...action }];
  return applyOverlay(document, { file: "names.yaml", actions });
}

it.each([
  [
    "objects are merged",
    "$.info",
    { update: { x: { y: 1 } } },
    { ...document, info: { ...document.info, x: { y: 1 } } },
  ],
  [
    "values are replaced",
    "$.info.title",
    { update: "Maps" },
    { ...document, info: { ...document.info, title: "Maps" } },
  ],
  [
    "lists grow",
    "$.servers",
    { update: { url: "/d" } },
    { ...document, servers: [...document.servers, { url: "/d" }] },
  ],
  [
    "lists inside grow",
    "$.info",
    { update: { tags: ["b"] } },
    { ...document, info: { title: "Atlas", tags: ["a", "b"] } },
  ],
  ["the whole is merged", "$", { update: { x: 1 } }, { ...document, x: 1 }],
  ["items are removed", "$.servers[0,2]", { remove: true }, { ...document, servers: [{ url: "/b" }] }],
  [
    "what is filtered is removed",
    "$.servers[?@.url == '/b']",
    { remove: true },
    { ...document, servers: [{ url: "/a" }, { url: "/c" }] },
  ],
  ["properties are removed", "$.info.tags", { remove: true }, { ...document, info: { title: "Atlas" } }],
  [
    "a value is copied",
    "$.servers[1]",
    { copy: "$.info" },
    { ...document, servers: [{ url: "/a" }, { url: "/b", ...document.info }, { url: "/c" }] },
  ],
  [
    "a copied list grows the other",
    "$.info.tags",
    { copy: "$.servers" },
    { ...document, info: { title: "Atlas", tags: ["a", ...document.servers] } },
  ],
  ["a value is copied into what contains it", "$", { copy: "$.info" }, { ...document, ...document.info }],
  ["what is nowhere stays nowhere", "$.webhooks", { update: { x: 1 } }, document],
])("%s", (_, target, action, expected) => {
  const before = structuredClone(document);
  expect(applied(target, action)).toEqual(expected);
  expect(document).toEqual(before);
});

describe("an invalid overlay is reported at its line", () => {
  const root = (text: string): string => {
    const folder = library();
    writeFileSync(join(folder, "names.yaml"), text);
    return join(folder, "names.yaml");
  };
  const head = "overlay: 1.0.0\ninfo: { title: Names, version: 1.0.0 }\n";

  it.each([
    ["overlay: [", 1, /^Not valid YAML: /],
    ["openapi: 3.1.0\n", 1, /^This is not an OpenAPI Overlay\.$/],
    [head, 1, /^The overlay has no actions\.$/],
    [`${head}actions:\n  - target: $.info\n    updates: {}\n`, 4, /^`updates` is not a key of an action\.$/],
    [`${head}actions:\n  - target: $.info\n    copy: $.info\n`, 4, /^`copy` is not a key of an action\.$/],
    [
      `${head.replace("1.0.0", "1.1.0")}actions:\n  - { target: $, copy: $.info, update: {} }\n`,
      4,
      /^This action has both `update` and `copy`\.$/,
    ],
    [`${head}actions:\n  - update: {}\n`, 4, /^This action has no target\.$/],
    [`${head}actions:\n  - target: $.info\n`, 4, /^This action has no effect\.$/],
    [
      `${head}extends: openapi/atlantis/openapi.yaml\nactions: [{ target: $, update: {} }]\n`,
      3,
      /^It extends .* not one of the/,
    ],
  ])("%j", async (text, line, message) => {
    const problems = await refusal((async () => readOverlay(root(text), ["atlas"]))());
    expect(problems).toMatchObject([{ line, message: expect.stringMatching(message) }]);
  });

  it("a target that is not a JSONPath", () => {
    const overlay = readOverlay(root(`${head}actions:\n  - target: servers\n    remove: true\n`), ["atlas"]);
    expect(() => applyOverlay(document, overlay)).toThrow(/names\.yaml:4\n {2}The target `servers` is not a JSONPath/);
  });
});

it.each([
  ["$.servers[*]", /names\.yaml:4\n {2}`copy: \$\.servers\[\*\]` selects 3 values/],
  ["$.webhooks", /names\.yaml:4\n {2}`copy: \$\.webhooks` selects nothing/],
  ["servers", /names\.yaml:4\n {2}The copy `servers` is not a JSONPath/],
])("copies one value, not %s", (copy, message) => {
  const action = { target: "$.info", remove: false, line: 4, copy };
  expect(() => applyOverlay(document, { file: "names.yaml", actions: [action] })).toThrow(message);
});

it(
  "applies to generated files, reports targets that do not exist, and leaves nothing behind when it is removed",
  { tags: ["long"] },
  async () => {
    const folder = library();
    const overlay = join(folder, "names.yaml");
    const actions = `actions:
  - { target: "$.info", update: { title: The atlas of Acme } }
  - { target: "$.paths['/v1/charts']", remove: true }
`;
    writeFileSync(overlay, `overlay: 1.0.0\ninfo: { title: Names, version: 1.0.0 }\n${actions}`);
    const bundle = (): string => readFileSync(join(generated(folder), "openapi.json"), "utf8");
    await generate(folder);
    const neutral = bundle();
    const { missed } = await generate(folder, { overlays: [overlay] });
    expect(bundle()).toBe(neutral.replace(/"title": "[^"]*"/, '"title": "The atlas of Acme"'));
    expect(missed).toEqual([
      `${overlay}:5  The target \`$.paths['/v1/charts']\` does not exist in any document. The action had no effect.`,
    ]);
    await generate(folder);
    expect(bundle()).toBe(neutral);
  },
);

it("rejects an overlay that makes the document invalid, and writes nothing", async () => {
  const folder = library();
  const overlay = join(folder, "names.yaml");
  writeFileSync(
    overlay,
    "overlay: 1.0.0\ninfo: { title: N, version: 1.0.0 }\nactions: [{ target: $.info.version, remove: true }]\n",
  );
  await expect(generate(folder, { overlays: [overlay] })).rejects.toThrow(/names\.yaml\n/);
});
