import { expect, it } from "vitest";
import { checkRelease } from "../src/versions/check.ts";
import { makeRelease } from "../src/versions/release.ts";
import { readReleases } from "@trainyard/contract";
import { changeIn, useRepositories } from "./repository.ts";

const atlas = "openapi/atlas/openapi.yaml";
const newRepository = useRepositories("unreleased");

it("goes from an edited document to its release, and never announces less than it breaks", async () => {
  const repository = newRepository();
  const { root } = repository;
  const everything = ["atlas", "core", "globe", "mock"].map((name) => `"@trainyard/${name}": major\n`).join("");
  repository.write(".changeset/first-release.md", `---\n${everything}---\n\nThe first release.\n`);
  repository.commit("Release for the first time");

  // The first release: nothing is before it.
  makeRelease(root, "2026-11-04");
  const versionsOf = (...names: string[]) => names.map((name) => repository.versionOf(name)).join(" ");
  expect(versionsOf("atlas", "core", "globe", "mock", "tool")).toBe("1.0.0 1.0.0 1.0.0 1.0.0 0.1.0");
  expect(repository.read("packages/core/src/version.ts")).toContain('\nexport const version = "1.0.0";\n');
  expect(repository.changesets()).toEqual([]);
  expect(repository.read("openapi/CHANGELOG.md")).toContain(
    "## atlas 1.0.0\n\nThe first release, in `@trainyard/atlas` 1.0.0, 2026-11-04.\n\n## globe 1.0.0\n",
  );
  repository.commit("Version packages");
  expect(JSON.parse(repository.read("openapi/released/atlas.json"))).toMatchObject({ info: { version: "1.0.0" } });

  // A branch breaks one of the two contracts.
  repository.git("checkout", "-qb", "optional-names");
  repository.edit(atlas, "required: [id, name]", "required: [id]");
  repository.generate();
  const before = checkRelease(root);
  expect(before.refused).toBe(true);
  expect(before.lines.join("\n")).toMatch(
    /^Compared with main \([0-9a-f]{7}\)\.\n✗ @trainyard\/atlas needs a changeset with "major", and no changeset names it\. Its contract's changes are breaking: Map\.name: The property `name` was made optional\.\n✗ openapi\/atlas\/openapi\.yaml: The changes on the wire since 1\.0\.0 are breaking, so `info\.version` has to be 2\.0\.0, and it is 1\.0\.0\. .*\n\nTo accept a change .*:\nAccepted: `Map\.name` property-optional: .*\nFix it with: npx -y pnpm@12 contract change$/,
  );
  const lines = await changeIn(repository);
  const [draft = ""] = repository.changesets();
  expect(draft).toMatch(/^\.changeset\/atlas-contract-[0-9a-f]{6}\.md$/);
  expect(lines).toEqual([
    `${atlas}: \`info.version\` is set to 2.0.0; it was 1.0.0.`,
    `${draft} is written. Add to it what people have to do, above or below its marks.`,
  ]);
  expect(repository.read(atlas)).toContain("\n  version: 2.0.0\n");
  repository.edit(draft, "---\n\n<!--", "---\n\nLook whether a map has a name.\n\n<!--");

  // Too little is refused, by the check and by the release.
  repository.edit(draft, '"@trainyard/atlas": major', '"@trainyard/atlas": minor');
  repository.commit("Let maps have no name");
  expect(checkRelease(root)).toMatchObject({
    refused: true,
    lines: [
      expect.anything(),
      expect.stringMatching(/^✗ @trainyard\/atlas needs a changeset with "major", and its changesets ask for minor\./),
      "",
      expect.anything(),
      expect.stringContaining("Accepted: `Map.name` property-optional: "),
      expect.anything(),
    ],
  });
  expect(() => makeRelease(root, "2026-12-01")).toThrow('needs a changeset with "major"');
  expect(await changeIn(repository)).toEqual([`${draft} is brought up to date.`]);
  expect(checkRelease(root)).toMatchObject({ refused: false });

  repository.commit("Tell it");
  makeRelease(root, "2026-12-01");
  expect(repository.read("packages/atlas/CHANGELOG.md")).toMatch(
    new RegExp(
      [
        "^# @trainyard/atlas\n\n## 2\\.0\\.0\n\n### Major Changes\n",
        "- [0-9a-f]{7}: Look whether a map has a name\\.\n",
        "  The contract of atlas is 2\\.0\\.0 \\(1\\.0\\.0 before\\)\\.\n",
        "  Breaking:\n",
        "  - Map\\.name: The property `name` was made optional\\. Breaks callers that read it from maps\\.get \\(wire\\): .*\n",
        "## 1\\.0\\.0\n\n### Major Changes\n\n- [0-9a-f]{7}: The first release\\.\n",
        "### Patch Changes\n\n- Takes `@trainyard/core` 1\\.0\\.0\\.\n$",
      ].join("\n"),
    ),
  );
  expect(repository.read("openapi/CHANGELOG.md")).toMatch(
    /newest first\..*\n\n## atlas 2\.0\.0\n\nIn `@trainyard\/atlas` 2\.0\.0, 2026-12-01\. It follows 1\.0\.0\.\n\nBreaking:\n\n- Map\.name: .*\n\n## atlas 1\.0\.0\n/,
  );
  // What takes the broken client goes with it; what does not stays.
  expect(versionsOf("atlas", "core", "globe", "mock")).toBe("2.0.0 1.0.0 1.0.0 2.0.0");
  expect(readReleases(root)).toEqual([
    { version: "2.0.0", date: "2026-12-01", contract: { atlas: "2.0.0" } },
    { version: "1.0.0", date: "2026-11-04", contract: { atlas: "1.0.0", globe: "1.0.0" } },
  ]);
  expect(() => makeRelease(root, "2026-12-02")).toThrow("there is no changeset");
});
