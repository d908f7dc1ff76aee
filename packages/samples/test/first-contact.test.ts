import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";

// The first command that people run, with the Node that they have. `vitest run --project packages` tests it with Node 20 and 22.

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node: string };
}

const packages = globSync("../../packages/*/package.json", {
  cwd: join(import.meta.dirname, ".."),
})
  .map((file) => join(import.meta.dirname, "..", file))
  .map((file) => ({
    folder: join(file, ".."),
    manifest: JSON.parse(readFileSync(file, "utf8")) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true);

it.each(packages)(
  "$manifest.name has the same Node version in its README and in `engines`",
  ({ folder, manifest }) => {
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const [, needed] = /Node (\d+) (?:and|or) newer/.exec(readme) ?? [];
    expect(manifest.engines?.node).toBe(`>=${needed}`);
  },
);

/** The first Node in PATH that is older than 24. */
const old = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .filter((file) => existsSync(file))
  .map((file) => ({
    file,
    version: spawnSync(file, ["--version"], { encoding: "utf8" }).stdout.trim(),
  }))
  .find(({ version }) => Number.parseInt(version.slice(1), 10) < 24);

const commands = packages.flatMap(({ folder, manifest: { bin, engines } }) =>
  Object.entries(bin ?? {}).map(([command, file]) => ({
    command,
    file: join(folder, file),
    needed: Number(engines?.node.slice(2)),
  })),
);

describe.skipIf(old === undefined)(
  "on an older Node, if there is one in PATH",
  { tags: ["long"] },
  () => {
    it.each(commands)(
      "$command names the required version, or prints its help",
      ({ command, file, needed }) => {
        const { file: node = "", version = "" } = old ?? {};
        const { stdout, stderr, status } = spawnSync(node, [file, "--help"], {
          encoding: "utf8",
        });
        const isOld = Number.parseInt(version.slice(1), 10) < needed;
        expect({ stdout, stderr, status }).toEqual(
          isOld
            ? {
                stdout: "",
                stderr: expect.stringContaining(
                  `${command} needs Node ${needed} or newer; this is Node ${version.slice(1)}.`,
                ),
                status: 1,
              }
            : {
                stdout: expect.stringContaining(command),
                stderr: "",
                status: 0,
              },
        );
      },
    );
  },
);
