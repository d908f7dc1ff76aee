import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { install } from "../../lib/npm.ts";
import { makePlace } from "../../lib/place.ts";
import { run } from "../../lib/run.ts";
import { describeTarball } from "../../pack/pack.ts";
import { installedVersions } from "../consumers.ts";
import { publish, startRegistry } from "./registry.ts";

const place = makePlace("registry-test");
const { url, close } = await startRegistry(join(place, "registry"));
afterAll(close);

function packed(version: string) {
  const source = join(place, version);
  mkdirSync(join(source, "package"), { recursive: true });
  const manifest = { name: "@trainyard/training", version, publishConfig: { access: "public", provenance: true } };
  writeFileSync(join(source, "package/package.json"), JSON.stringify(manifest));
  run("tar", ["-czf", "a.tgz", "package"], { cwd: source });
  return describeTarball(join(source, "a.tgz"), manifest);
}

describe("the registry on loopback", () => {
  // As the package's scripts find it. Who runs vitest alone may have none.
  it.skipIf(spawnSync("pnpm", ["--version"]).status !== 0)(
    "has what is published to it, byte for byte, and gives it by range",
    async () => {
      const both = [packed("1.0.0-previous.0"), packed("1.0.0")];
      publish(url, both, join(place, "publisher"));
      const answer: { versions: Record<string, { dist: { integrity: string } }> } = await (
        await fetch(`${url}@trainyard%2Ftraining`)
      ).json();
      for (const { version, integrity } of both) expect(answer.versions[version]?.dist.integrity).toBe(integrity);
      const folder = join(place, "program");
      install(folder, { dependencies: { "@trainyard/training": "^1.0.0-previous.0" } }, { registry: url });
      expect(installedVersions({ folder, names: [] })).toEqual(new Map([["@trainyard/training", "1.0.0"]]));
    },
  );

  it.each(["@trainyard%2Fnobody", "openapi-fetch"])("has no %s, and asks no other registry for it", async (name) => {
    const { status } = await fetch(url + name);
    expect([401, 403, 404]).toContain(status);
  });
});
