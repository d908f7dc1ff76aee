import { describe, expect, it } from "vitest";
import { plan } from "./rolling.ts";

const wanted = {
  folder: "clients",
  files: ["a-1.0.0-f00.tgz", "a.cdx.json", "b-1.0.0-bee.tgz", "manifest.json", "manifest.md"],
  repository: "harbor/trainyard",
  commit: "0123abc",
};
const now = new Date("2026-11-04T00:00:00Z");
const linesOf = (calls: string[][]): string[] => calls.map((call) => call.join(" "));

describe("the rolling release", () => {
  it("is created if there is none", () => {
    expect(linesOf(plan(wanted, undefined, now))).toEqual([
      "release create rolling --prerelease --title Rolling release --target 0123abc --notes-file clients/manifest.md",
      "release upload rolling clients/a-1.0.0-f00.tgz clients/b-1.0.0-bee.tgz --clobber",
      "release upload rolling clients/a.cdx.json clients/manifest.json --clobber",
      "api --method PATCH repos/harbor/trainyard/git/refs/tags/rolling -f sha=0123abc -F force=true",
      "release edit rolling --prerelease --notes-file clients/manifest.md",
    ]);
  });

  it("uploads new tarballs before the text that names them, and keeps unchanged ones", () => {
    const assets = [{ name: "a-1.0.0-f00.tgz", createdAt: "2026-01-01T00:00:00Z" }];
    const calls = linesOf(plan(wanted, assets, now));
    expect(calls[0]).toBe("release upload rolling clients/b-1.0.0-bee.tgz --clobber");
    expect(calls.at(-1)).toBe("release edit rolling --prerelease --notes-file clients/manifest.md");
    expect(calls.join()).not.toContain("a-1.0.0-f00");
  });

  it("keeps a replaced tarball for a month, so that lockfiles with it still install", () => {
    const assets = [
      { name: "a-0.9.0-old.tgz", createdAt: "2026-10-04T23:59:59Z" },
      { name: "a-0.9.1-new.tgz", createdAt: "2026-10-05T00:00:01Z" },
      { name: "a.cdx.json", createdAt: "2026-01-01T00:00:00Z" },
    ];
    const deleted = linesOf(plan(wanted, assets, now)).filter((call) => call.includes("delete-asset"));
    expect(deleted).toEqual(["release delete-asset rolling a-0.9.0-old.tgz --yes"]);
  });

  it.each([[["manifest.md"]], [["a.tgz"]], [[]]])("rejects a folder of %j", (files) => {
    expect(() => plan({ ...wanted, files }, undefined, now)).toThrow("clients holds no packed clients");
  });
});
