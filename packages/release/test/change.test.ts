import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { ChangeSteps } from "../src/change/change.ts";
import { parseChangeset } from "../src/versions/changeset.ts";
import { checkRelease } from "../src/versions/check.ts";
import { makeRelease } from "../src/versions/release.ts";
import { changeIn, type Repository, useRepositories } from "./repository.ts";

const atlas = "openapi/atlas/openapi.yaml";
const required = "required: [id, name]";
const nameLine = "        name: { type: string, description: Its name. }\n";
const bothLines = `${nameLine}        shelf: { type: string, description: Where it stands. }\n`;
const newRepository = useRepositories();
const newUnreleased = useRepositories("unreleased");

it("writes nothing if callers notice nothing", async () => {
  const repository = newRepository();
  expect(await changeIn(repository)).toEqual([expect.stringMatching(/^The contract is the same as in main \(/)]);
  repository.edit(atlas, "Its name.", "The name on its cover.");
  expect(await changeIn(repository)).toEqual(["The change does not affect callers, so no release is needed."]);
  expect(repository.changesets()).toEqual([]);
  expect(repository.read(atlas)).toContain("version: 1.0.0");
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
});

it("updates a draft with the document, and keeps what a person wrote", async () => {
  const repository = newRepository();
  repository.edit(atlas, nameLine, bothLines);
  await changeIn(repository);
  const [draft = ""] = repository.changesets();
  expect(repository.read(draft)).toMatch(
    /^---\n"@trainyard\/atlas": minor\n---\n\n<!-- contract of atlas: .* -->\n\nThe contract of atlas is 1\.1\.0 \(1\.0\.0 was released last\)\.\n\nAdded:\n\n- Map\.shelf: The optional property `shelf` was added\. .*\n\n<!-- end of the contract -->\n$/,
  );
  expect(await changeIn(repository)).toEqual([`${draft} says so already.`]);

  // A person adds words and a package; then the document goes on.
  repository.edit(draft, "---\n\n<!--", '"@trainyard/core": patch\n---\n\nLook at the shelves.\n\n<!--');
  repository.write(draft, `${repository.read(draft)}\nThen go.\n`);
  repository.edit(atlas, "name: { type: string,", "name: { type: string, deprecated: true,");
  expect(await changeIn(repository)).toEqual([`${draft} is brought up to date.`]);
  const { releases, text } = parseChangeset(draft, repository.read(draft));
  expect([...releases]).toEqual([
    ["@trainyard/atlas", "minor"],
    ["@trainyard/core", "patch"],
  ]);
  expect(text).toMatch(
    /^Look at the shelves\.\n\n<!--[^]*Deprecated:\n\n- Map\.name: .*\n\nAdded:\n\n- [^]*-->\n\nThen go\.$/,
  );

  // The document goes back: what a person wrote stays.
  repository.git("checkout", "-q", "openapi");
  expect(await changeIn(repository)).toEqual([
    expect.stringContaining(`${draft} holds words of yours`),
    expect.stringMatching(/^The contract is the same as/),
  ]);
  expect(parseChangeset(draft, repository.read(draft)).text).toBe("Look at the shelves.\n\nThen go.");
});

it("sets the version that the changes since the last release require, up or down, and reports an invalid one", async () => {
  const repository = newRepository();
  repository.edit(atlas, nameLine, bothLines);
  repository.edit(atlas, "version: 1.0.0", "version: 3.0.0");
  repository.generate();
  expect(checkRelease(repository.root).lines).toContainEqual(
    expect.stringContaining("are additive, so `info.version` has to be 1.1.0, and it is 3.0.0."),
  );
  await changeIn(repository);
  const [draft = ""] = repository.changesets();
  expect(repository.read(draft)).toContain("The contract of atlas is 1.1.0 (1.0.0 was released last).");
  expect(repository.read(atlas)).toContain("version: 1.1.0");
  repository.edit(atlas, "version: 1.1.0", "version: 0.9.0");
  expect(await changeIn(repository)).toContainEqual(
    expect.stringMatching(/^openapi\/atlas\/openapi\.yaml: `info\.version` is set to 1\.1\.0; it was 0\.9\.0\.$/),
  );
  expect(repository.read("packages/atlas/src/generated/openapi.json")).toContain('"version":"1.1.0"');
  repository.edit(atlas, "version: 1.1.0", "version: next");
  await expect(changeIn(repository)).rejects.toThrow(`${atlas}: The version "next" is not a semantic version.`);
  expect(repository.read(atlas)).toContain("version: next");
});

const lint = (): Promise<void> => Promise.reject(new Error("a rule"));

it.each<[string, (repository: Repository) => void, Partial<ChangeSteps>?]>([
  ["documents that break a rule", () => undefined, { lint }],
  [
    "a schema that the comparison cannot read",
    (repository) =>
      repository.edit(atlas, "    Map:\n", '    Map:\n      allOf: [{ $ref: "#/components/schemas/Map" }]\n'),
  ],
  [
    "an invalid version of another service",
    (repository) => repository.edit("openapi/globe/openapi.yaml", "1.0.0", "next"),
  ],
  ["a file that is no changeset", (repository) => repository.write(".changeset/wrong.md", "What I did.\n")],
])("leaves the tree as it was if it stops at %s", async (_, prepare, steps) => {
  const repository = newRepository();
  repository.edit(atlas, nameLine, bothLines);
  prepare(repository);
  const state = () => [repository.git("status", "--porcelain", "-uall"), repository.git("diff", "--binary")];
  const before = state();
  await expect(changeIn(repository, undefined, steps)).rejects.toThrow(Error);
  expect(state()).toEqual(before);
});

it("measures the clients that changed, and gives no verdict if they are too large", async () => {
  const repository = newRepository();
  repository.edit(atlas, nameLine, bothLines);
  const size = vi.fn<ChangeSteps["size"]>(async () => false);
  const check = vi.fn<ChangeSteps["check"]>();
  await changeIn(repository, undefined, { size, check });
  expect(size.mock.calls).toEqual([[["atlas"]]]);
  expect(check).not.toHaveBeenCalled();
  // What has to be accepted is still there.
  expect(repository.read("packages/atlas/src/generated/openapi.json")).toContain("shelf");
});

it(
  "reverts the version and the changeset of a reverted change, also on another branch",
  { tags: ["long"] },
  async () => {
    const repository = newRepository();
    repository.edit(atlas, required, "required: [id]");
    await changeIn(repository);
    expect(repository.read(atlas)).toContain("version: 2.0.0");
    repository.edit(atlas, "required: [id]", required);
    const [draft = ""] = repository.changesets();
    expect(await changeIn(repository)).toEqual([
      `${atlas}: \`info.version\` is set to 1.0.0; it was 2.0.0.`,
      `${draft} is removed: the contract changed nothing that it could tell.`,
      expect.stringMatching(/^The contract is the same as in main/),
    ]);

    repository.edit(atlas, required, "required: [id]");
    await changeIn(repository);
    repository.commit("Let maps have no name");
    repository.git("checkout", "-qb", "back");
    repository.edit(atlas, "required: [id]", required);
    repository.generate();
    expect(checkRelease(repository.root).lines).toEqual([
      expect.stringMatching(/^Compared with main/),
      expect.stringContaining("ask for no other version, so `info.version` has to be 1.0.0, and it is 2.0.0."),
      expect.stringMatching(/^✗ \.changeset\/.* asks for "major" of @trainyard\/atlas, and .* They were taken back\.$/),
      "",
      "Fix it with: npx -y pnpm@12 contract change",
    ]);
    await changeIn(repository);
    expect(repository.changesets()).toEqual([]);
    expect(repository.read(atlas)).toContain("version: 1.0.0");
    expect(checkRelease(repository.root)).toMatchObject({ refused: false });
  },
);

it("accepts a reviewed change by a line with its reason, and reports it", { tags: ["long"] }, async () => {
  const repository = newRepository();
  repository.edit(atlas, required, "required: [id]");
  repository.generate();
  const accepted = "Accepted: `Map.name` property-optional: The service never answered a map without a name.";
  const line = accepted.slice(0, accepted.indexOf(": The"));
  expect(checkRelease(repository.root).lines).toContainEqual(expect.stringContaining(line));
  repository.write(".changeset/names.md", `---\n"@trainyard/atlas": patch\n---\n\n${accepted}\n`);
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
  await changeIn(repository);
  expect(repository.read(atlas)).toContain("version: 1.0.0");

  repository.edit(".changeset/names.md", " property-optional", "");
  expect(checkRelease(repository.root)).toMatchObject({
    refused: true,
    lines: expect.arrayContaining([expect.stringContaining(`write instead:\n    ${line}`)]),
  });
  repository.edit(".changeset/names.md", "`Map.name`", "`Map.nam`");
  expect(checkRelease(repository.root).lines).toContainEqual(
    expect.stringContaining("accepts `Map.nam`, and no such change exists."),
  );
  repository.edit(".changeset/names.md", ": The service never answered a map without a name.", "");
  await expect(changeIn(repository)).rejects.toThrow("has no location or no reason. Write, for example: Accepted: `");
});

it("rejects a removal before its date", { tags: ["long"] }, async () => {
  const repository = newRepository();
  repository.edit(atlas, nameLine, "");
  repository.edit(atlas, required, "required: [id]");
  await changeIn(repository);
  expect(checkRelease(repository.root).lines).toContainEqual(
    expect.stringContaining("✗ Map.name leaves and was never released as deprecated."),
  );
  const [draft = ""] = repository.changesets();
  repository.edit(
    draft,
    "---\n\n<!--",
    "---\n\nAccepted: `Map.name` property-optional: Nobody has ever been sent a map with a name.\n\n<!--",
  );
  await changeIn(repository);
  // Another change was accepted, so the removal is not.
  expect(checkRelease(repository.root)).toMatchObject({ refused: true });
  repository.edit(draft, "property-optional", "property-removed");
  await changeIn(repository);
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
});

it("requires nothing before the first release, and keeps the version at 1.0.0", { tags: ["long"] }, async () => {
  const repository = newUnreleased();
  repository.edit(atlas, required, "required: [id]");
  expect(await changeIn(repository)).toEqual([expect.stringMatching(/^Nothing was released yet/)]);
  expect(repository.read(atlas)).toContain("version: 1.0.0");
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
  repository.edit(atlas, "version: 1.0.0", "version: 2.0.0");
  repository.generate();
  expect(checkRelease(repository.root).lines).toContainEqual(
    expect.stringContaining("Nothing was released yet, so `info.version` has to be 1.0.0, and it is 2.0.0."),
  );
});

it("leaves other changesets alone, and does not treat them as its own", { tags: ["long"] }, async () => {
  const repository = newRepository();
  repository.edit(atlas, required, "required: [id]");
  await changeIn(repository);
  const [theirs = ""] = repository.changesets();
  repository.commit("Let maps have no name");
  repository.edit(atlas, nameLine, bothLines);
  repository.generate();
  expect(checkRelease(repository.root)).toMatchObject({ refused: true });
  repository.edit(theirs, "-->\n", "-->\n\nIn haste:\n");
  const before = repository.read(theirs);
  // What is not released yet is no reason not to say what was added since; the version says the worst already.
  expect(await changeIn(repository)).toEqual([expect.stringContaining("is written.")]);
  expect(repository.read(atlas)).toContain("version: 2.0.0");
  expect(repository.validated).toEqual(["atlas", "atlas"]);
  expect(repository.changesets()).toHaveLength(2);
  expect(repository.read(theirs)).toBe(before);
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
});

it("compares with the merge base, not with later commits on main", { tags: ["long"] }, async () => {
  const repository = newRepository();
  repository.git("checkout", "-qb", "words");
  repository.git("checkout", "-q", "main");
  repository.edit(atlas, nameLine, bothLines);
  repository.generate();
  repository.commit("Say where a map stands");
  repository.git("checkout", "-q", "words");
  expect(checkRelease(repository.root).lines[1]).toBe("✓ The contract asks for no release.");
});

it(
  "reports what it compared with if history is missing, and never passes what it cannot read",
  { tags: ["long"] },
  async () => {
    const repository = newRepository();
    repository.git("checkout", "-qb", "shelves");
    repository.edit(atlas, nameLine, bothLines);
    repository.generate();
    repository.commit("Say where a map stands");
    const clone = join(repository.root, "clone");
    execFileSync("git", ["clone", "-q", "--depth", "1", "--branch", "shelves", `file://${repository.root}`, clone]);
    expect(checkRelease(clone)).toEqual({
      lines: [expect.stringMatching(/^This clone has no main branch, so the changesets were not compared/)],
      refused: false,
    });
    expect(() => checkRelease(clone, "main")).toThrow('The revision "main" does not exist here.');
    expect(checkRelease(repository.root, "main")).toMatchObject({ refused: true });

    repository.write("packages/news/package.json", '{ "name": "@trainyard/news" }');
    const added = checkRelease(repository.root);
    expect(added.refused).toBe(true);
    expect(added.lines).toContainEqual(expect.stringContaining("names it. Add this line to .changeset/"));
    expect(added.lines).toContainEqual(expect.stringMatching(/"@trainyard\/news": major$/));
    rmSync(join(repository.root, "packages/news"), { recursive: true });

    repository.write(".changeset/wrong.md", '---\n"@trainyard/tool": minor\n---\n\nNobody gets it.\n');
    expect(checkRelease(repository.root).lines).toContainEqual(
      expect.stringContaining("✗ .changeset/wrong.md names @trainyard/tool, which is no published package."),
    );
    repository.write(".changeset/wrong.md", '---\n"@trainyard/atlas": small\n---\n');
    expect(() => checkRelease(repository.root)).toThrow('.changeset/wrong.md asks for "small" of @trainyard/atlas.');
    repository.write(".changeset/wrong.md", "What I did.\n");
    expect(() => checkRelease(repository.root)).toThrow(".changeset/wrong.md is no changeset");
  },
);

it("treats a removed service as the removal of its operations, also after it left main", async () => {
  const repository = newRepository();
  repository.remove("openapi/globe");
  expect(checkRelease(repository.root)).toMatchObject({
    refused: true,
    lines: expect.arrayContaining([expect.stringContaining("✗ maps.get leaves and was never released as deprecated.")]),
  });
  expect(await changeIn(repository)).toEqual([
    expect.stringMatching(/^The service globe was removed\. .*packages\/globe/),
  ]);
  expect(repository.changesets()).toEqual([]);
  repository.remove("packages/globe");
  repository.commit("Remove the globe");
  expect(checkRelease(repository.root)).toMatchObject({ refused: true });
  expect(await changeIn(repository)).toEqual([expect.stringMatching(/^The contract is the same as in main/)]);

  const line = "Accepted: `globe maps.get` operation-removed: Nobody ever called it.";
  repository.write(".changeset/globe.md", `---\n"@trainyard/atlas": minor\n---\n\nThe globe is gone.\n\n${line}\n`);
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
  repository.commit("Accept it");
  makeRelease(repository.root, "2026-12-01");
  expect(repository.has("openapi/released/globe.json")).toBe(false);
  expect(repository.read("openapi/CHANGELOG.md")).toMatch(/## globe\n\nIt was removed, 2026-12-01\.\n\n[^#]*maps\.get/);
  repository.commit("Version packages");
  expect(checkRelease(repository.root)).toMatchObject({ refused: false });
});
