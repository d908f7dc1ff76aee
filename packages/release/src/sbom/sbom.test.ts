import { describe, expect, it } from "vitest";
import { type Sbom, sbomFaults } from "./sbom.ts";

const packed = {
  name: "@trainyard/training",
  version: "1.0.0",
  tarball: "",
  integrity: "",
  size: 0,
  manifest: {
    name: "@trainyard/training",
    version: "1.0.0",
    dependencies: { "@trainyard/core": "^1.0.0", ky: "^2.0.0" },
  },
};
const component = {
  group: "@trainyard",
  name: "training",
  version: "1.0.0",
  purl: "pkg:npm/%40trainyard/training@1.0.0",
};
const core = { ...component, name: "core" };
const ky = {
  name: "ky",
  version: "2.1.0",
  purl: "pkg:npm/ky@2.1.0",
  externalReferences: [{ type: "distribution", url: "", hashes: [{}] }],
};
const good: Sbom = { bomFormat: "CycloneDX", specVersion: "1.6", metadata: { component }, components: [core, ky] };

describe("an SBOM", () => {
  it("that is complete has no faults", () => expect(sbomFaults(good, packed)).toEqual([]));

  it.each([
    ["none", undefined, "no SBOM"],
    ["another form", { ...good, bomFormat: "SPDX" }, "no SBOM"],
    [
      "that of another version",
      { ...good, metadata: { component: { ...component, version: "0.9.0" } } },
      "is of @trainyard/training 0.9.0",
    ],
    ["one that leaves out a dependency", { ...good, components: [ky] }, "leaves out @trainyard/core"],
    ["one without a digest", { ...good, components: [core, { ...ky, externalReferences: [] }] }, "ky without a digest"],
  ])("is rejected: %s", (_, sbom, says) => expect(sbomFaults(sbom, packed).join("\n")).toContain(says));
});
