import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install } from "../../lib/npm.ts";
import { run } from "../../lib/run.ts";
import { refuse, type Steps } from "../../lib/steps.ts";
import { describeTarball, type Packed } from "../../pack/pack.ts";
import { installedVersions } from "../consumers.ts";
import { publish } from "./registry.ts";

/** Not the name of a real package, so that nothing later depends on it. */
const name = "@trainyard/probe";

/** Checks in two steps that the registry on loopback works as the rehearsal requires. It has a folder of its own. */
export async function proveRegistry(steps: Steps, url: string, folder: string): Promise<void> {
  await steps.take("registry: has what is published to it, byte for byte, and gives it by range", async () => {
    const both = ["1.0.0-previous.0", "1.0.0"].map((version) => probe(version, join(folder, version)));
    publish(url, both, join(folder, "publisher"));
    refuse(await differences(url, both));
    const program = join(folder, "program");
    install(program, { dependencies: { [name]: "^1.0.0-previous.0" } }, { registry: url });
    const version = installedVersions({ folder: program, names: [] }).get(name);
    if (version !== "1.0.0")
      throw new Error(`npm took ${version ?? "no version"} of ${name} where 1.0.0 was to be had.`);
  });
  await steps.take("registry: has nothing else, and asks no other registry for it", async () => {
    for (const other of ["@trainyard%2Fnobody", "openapi-fetch"]) {
      const { status } = await fetch(url + other);
      if (![401, 403, 404].includes(status)) throw new Error(`It answers ${status} to GET /${other}.`);
    }
  });
}

/** The packages whose bytes in the registry differ from what was packed, one sentence each. */
async function differences(url: string, packed: readonly Packed[]): Promise<string[]> {
  const answer: { versions: Record<string, { dist: { integrity: string } }> } = await (
    await fetch(url + name.replace("/", "%2F"))
  ).json();
  return packed
    .filter(({ version, integrity }) => answer.versions[version]?.dist.integrity !== integrity)
    .map(({ version }) => `${name} ${version} has other bytes in the registry than in its tarball.`);
}

function probe(version: string, folder: string): Packed {
  mkdirSync(join(folder, "package"), { recursive: true });
  const manifest = { name, version, publishConfig: { access: "public", provenance: true } };
  writeFileSync(join(folder, "package/package.json"), JSON.stringify(manifest));
  run("tar", ["-czf", "a.tgz", "package"], { cwd: folder });
  return describeTarball(join(folder, "a.tgz"), manifest);
}
