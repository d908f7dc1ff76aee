import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../../test/temporary-folder.ts";
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
  "AGENTS.md": "# Engine\n",
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

type Bad = [
  rule: keyof typeof rules,
  what: string,
  names: string,
  change: Partial<Manifest>,
  files?: Record<string, string | undefined>,
];

/** A file that must not be there. */
const file = (rule: Bad[0], path: string): Bad => [rule, path, path, {}, { [path]: "" }];

const bad: readonly Bad[] = [
  ["license", "another license", "UNLICENSED", { license: "UNLICENSED" }],
  ["documents", "no license file", "LICENSE", {}, { LICENSE: undefined }],
  ["documents", "an empty README", "README.md", {}, { "README.md": "\n" }],
  ...["src/index.test.ts", "src/index.test-d.ts", "test/help.ts"].map((path) => file("tests", path)),
  ["tests", "a built test", "dist/index.spec.js", {}, { "dist/index.spec.js": "", "src/index.spec.ts": "" }],
  ...[".env", "src/.cache/a.json", "node_modules/a/index.js"].map((path) => file("hidden", path)),
  ...[
    { provenance: true },
    { access: "restricted", provenance: true },
    { access: "public", provenance: true, tag: "next" },
  ].map((publishConfig): Bad => [
    "publish",
    JSON.stringify(publishConfig),
    '{"access":"public","provenance":true}',
    { publishConfig },
  ]),
  ["home", "no repository", "provenance", { repository: "" }],
  ["home", "no page to read more on", "#readme", { homepage: "" }],
  ["home", "another repository", "harbor/yard.git", { repository: { url: "git+https://host.example/x/y.git" } }],
  ["page", "no description", "description", { description: "" }],
  ["page", "a keyword alone", "keywords", { keywords: ["engine"] }],
  ["page", "no version of Node", "engines.node", { engines: {} }],
  ["changelog", "no changelog", "CHANGELOG.md", { files: ["dist", "src"] }],
  ["entries", "no such entry", "@trainyard/engine/boiler", {}, { "README.md": "`@trainyard/engine/boiler`" }],
  ["entries", "a private package", "@trainyard/codegen", {}, { "README.md": "`@trainyard/codegen`" }],
  ["guides", "no AGENTS.md", "not 0 and 0", {}, { "AGENTS.md": undefined }],
  ["guides", "a long AGENTS.md", "not 21 and", {}, { "AGENTS.md": "-\n".repeat(21) }],
  ["guides", "too much to read", "60.009", {}, { "docs/guides/a.md": "é".repeat(30_000) }],
  ["mapped", "a module without a map", "dist/index.js", {}, { "dist/index.js": "export {};" }],
  ["mapped", "types without a map", "dist/index.d.ts", {}, { "dist/index.d.ts": "" }],
  ["maps", "a map that is left out", "dist/index.js.map", {}, { "dist/index.js.map": undefined }],
  ["maps", "a map to nowhere", "cli.ts", {}, { "dist/cli.js.map": '{"sources":["../../cli.ts"]}' }],
  ["pages", "no script", "dist/pages/a.js", {}, { "dist/pages/index.html": '<script src="./a.js"></script>' }],
  ["folders", "a path of this machine", "src/cli.ts", {}, { "src/cli.ts": "// /home/somebody/trainyard/a.ts" }],
];

it("tells the compiler's output of an earlier build from what a bundler made", () => {
  const earlier = ["dist/old.js", "dist/old.js.map", "dist/old.d.ts", "dist/old.d.ts.map"];
  expect(staleFiles(manifest, [...Object.keys(files), ...earlier, "dist/pages/console.js"])).toEqual(earlier);
});

describe("the rules of a tarball", () => {
  it("a valid package has no faults", () => expect(faults({})).toEqual([]));

  it.each(bad)("%s: %s", (rule, _, names, change, changed) => {
    const found = faults(change, changed);
    expect(found).not.toEqual([]);
    expect(found.map((fault) => fault.split(": ")[0])).toEqual(found.map(() => rule));
    expect(found.join("\n")).toContain(names);
  });

  it("each rule has a case that breaks it", () => {
    expect(new Set(bad.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
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
