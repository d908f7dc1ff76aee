import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../lib/temporary-folder.ts";
import type { Manifest } from "../lib/workspace.ts";
import { staleFiles } from "../pack/pack.ts";
import { faultsOf, rules } from "./contents.ts";
import { readContents, unpack } from "./tarball.ts";

const manifest: Manifest = {
  name: "@trainyard/engine",
  version: "1.2.3",
  license: "MIT",
  description: "An engine",
  keywords: ["engine", "steam", "train"],
  engines: { node: ">=20" },
  files: ["CHANGELOG.md", "dist", "src"],
  exports: {
    ".": { "@trainyard/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./validators": { default: "./dist/validators.js" },
    "./package.json": "./package.json",
  },
  bin: { engine: "./dist/cli.js" },
  publishConfig: { access: "public", provenance: true },
  repository: { type: "git", url: "git+https://host.example/harbor/yard.git", directory: "packages/engine" },
  homepage: "https://host.example/harbor/yard/tree/main/packages/engine#readme",
  dependencies: { "@trainyard/core": "^1.2.0", other: "4.0.0" },
};

const expected = {
  license: "MIT",
  folders: ["/home/somebody/trainyard"],
  home: "https://host.example/harbor/yard",
  packages: new Map([[manifest.name, manifest]]),
};

const files: Record<string, string> = {
  LICENSE: "MIT License",
  "README.md":
    "# Engine\n[below](#a) [elsewhere](https://host.example/a) [source](./src/index.ts)\n@trainyard/engine/validators, @other/a/b",
  "package.json": "{}",
  "dist/cli.js": "//# sourceMappingURL=cli.js.map\n",
  "dist/cli.js.map": JSON.stringify({ sources: ["../src/cli.ts"] }),
  "dist/index.js": "export {};\n//# sourceMappingURL=index.js.map\n",
  "dist/index.js.map": JSON.stringify({ sources: ["../src/index.ts"] }),
  "dist/index.d.ts": "export {};\n//# sourceMappingURL=index.d.ts.map",
  "dist/index.d.ts.map": JSON.stringify({ sources: ["../src/index.ts"] }),
  // Made by a build from no source of its own.
  "dist/validators.js": "",
  "src/cli.ts": "",
  "src/index.ts": "",
  "src/latest.ts": "",
};

/** The good package, changed in one place. `undefined` takes a file out. */
function faults(change: Partial<Manifest>, changed: Record<string, string | undefined> = {}): string[] {
  const all = Object.entries({ ...files, ...changed });
  const present = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return faultsOf({ manifest: { ...manifest, ...change }, files: new Map(present) }, expected);
}

const bad: readonly {
  readonly rule: keyof typeof rules;
  readonly what: string;
  readonly names: string;
  readonly change?: Partial<Manifest>;
  readonly files?: Record<string, string | undefined>;
}[] = [
  { rule: "license", what: "another license", change: { license: "UNLICENSED" }, names: "UNLICENSED" },
  { rule: "documents", what: "no license file", files: { LICENSE: undefined }, names: "LICENSE" },
  { rule: "documents", what: "an empty README", files: { "README.md": "\n" }, names: "README.md" },
  { rule: "tests", what: "a test", files: { "src/index.test.ts": "" }, names: "src/index.test.ts" },
  { rule: "tests", what: "a type test", files: { "src/index.test-d.ts": "" }, names: "src/index.test-d.ts" },
  {
    rule: "tests",
    what: "a built test",
    files: { "dist/index.spec.js": "", "src/index.spec.ts": "" },
    names: "dist/index.spec.js",
  },
  { rule: "tests", what: "a folder of tests", files: { "test/help.ts": "" }, names: "test/help.ts" },
  { rule: "hidden", what: "a file of keys", files: { ".env": "KEY=1" }, names: ".env" },
  { rule: "hidden", what: "a cache", files: { "src/.cache/a.json": "{}" }, names: "src/.cache/a.json" },
  {
    rule: "hidden",
    what: "somebody else's package",
    files: { "node_modules/a/index.js": "" },
    names: "node_modules/a/index.js",
  },
  ...[
    { provenance: true },
    { access: "restricted", provenance: true },
    { access: "public", provenance: true, tag: "next" },
  ].map((publishConfig) => ({
    rule: "publish" as const,
    what: JSON.stringify(publishConfig),
    change: { publishConfig },
    names: '{"access":"public","provenance":true}',
  })),
  { rule: "home", what: "no repository", change: { repository: "" }, names: "provenance" },
  { rule: "home", what: "no page to read more on", change: { homepage: "" }, names: "#readme" },
  {
    rule: "home",
    what: "another repository",
    change: { repository: { type: "git", url: "git+https://host.example/x/y.git", directory: "packages/engine" } },
    names: "harbor/yard.git",
  },
  { rule: "page", what: "no description", change: { description: "" }, names: "description" },
  { rule: "page", what: "a keyword alone", change: { keywords: ["engine"] }, names: "keywords" },
  { rule: "page", what: "no version of Node", change: { engines: {} }, names: "engines.node" },
  { rule: "changelog", what: "no changelog", change: { files: ["dist", "src"] }, names: "CHANGELOG.md" },
  {
    rule: "entries",
    what: "an entry that is none",
    files: { "README.md": "`@trainyard/engine/boiler`" },
    names: "@trainyard/engine/boiler",
  },
  {
    rule: "entries",
    what: "a package that is not published",
    files: { "README.md": "`@trainyard/codegen`" },
    names: "@trainyard/codegen",
  },
  { rule: "mapped", what: "a module without a map", files: { "dist/index.js": "export {};" }, names: "dist/index.js" },
  { rule: "mapped", what: "types without a map", files: { "dist/index.d.ts": "" }, names: "dist/index.d.ts" },
  {
    rule: "maps",
    what: "a map that is left out",
    files: { "dist/index.js.map": undefined },
    names: "dist/index.js.map",
  },
  {
    rule: "maps",
    what: "a map to nowhere",
    files: { "dist/cli.js.map": '{"sources":["../../cli.ts"]}' },
    names: "cli.ts",
  },
  {
    rule: "pages",
    what: "a page without its script",
    files: { "dist/pages/index.html": '<script src="./console.js"></script>' },
    names: "dist/pages/console.js",
  },
  {
    rule: "folders",
    what: "a path of this machine",
    files: { "src/cli.ts": "// /home/somebody/trainyard/a.ts" },
    names: "src/cli.ts",
  },
];

it("tells the compiler's output of an earlier build from what a bundler made", () => {
  const earlier = ["dist/old.js", "dist/old.js.map", "dist/old.d.ts", "dist/old.d.ts.map"];
  expect(staleFiles(manifest, [...Object.keys(files), ...earlier, "dist/pages/console.js"])).toEqual(earlier);
});

describe("the rules of a tarball", () => {
  it("a valid package has no faults", () => expect(faults({})).toEqual([]));

  it.each(bad)("$rule: $what", ({ rule, names, change = {}, files: changed }) => {
    const found = faults(change, changed);
    expect(found).not.toEqual([]);
    expect(found.map((fault) => fault.split(": ")[0])).toEqual(found.map(() => rule));
    expect(found.join("\n")).toContain(names);
  });

  it("each rule has a case that breaks it", () => {
    expect(new Set(bad.map(({ rule }) => rule))).toEqual(new Set(Object.keys(rules)));
  });

  it("accepts a map that contains its sources", () => {
    const map = JSON.stringify({ sources: ["../lost.ts"], sourcesContent: ["export {}"] });
    expect(faults({}, { "dist/index.js.map": map })).toEqual([]);
  });
});

it("reads the files of a real tarball", () => {
  const temporary = makeTemporaryFolder("contents-test");
  const folder = join(temporary, "package");
  for (const [path, text] of Object.entries({
    ...files,
    "package.json": JSON.stringify(manifest),
    "src/deep/a.test.ts": "",
  })) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync("tar", ["-czf", "a.tgz", "package"], { cwd: temporary });
  const contents = readContents(unpack(join(temporary, "a.tgz"), join(temporary, "unpacked")));
  expect(contents.manifest).toEqual(manifest);
  expect(faultsOf(contents, expected)).toEqual([
    "tests: src/deep/a.test.ts is a test. Exclude it with `files` in package.json.",
  ]);
});
