import { once } from "node:events";
import { createServer } from "node:http";
import { exec, execFile } from "node:child_process";
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../lib/temporary-folder.ts";
import { describe as toMarkdown } from "./markdown.ts";
import { type Client, makeManifest } from "./manifest.ts";
import { describeTarball, integrityOf } from "./pack.ts";

const client = (name: string, dependencies: Record<string, string> = {}): Client => ({
  name: `@trainyard/${name}`,
  version: "1.0.0",
  tarball: `/somewhere/trainyard-${name}-1.0.0-0123abc.tgz`,
  integrity: "sha512-abc",
  size: 2048,
  contractVersion: name === "core" ? null : "2.3.0",
  sbom: `trainyard-${name}.cdx.json`,
  manifest: { name: `@trainyard/${name}`, version: "1.0.0", dependencies },
});

const core = client("core", { "openapi-fetch": "0.16.0" });
const training = client("training", { "@trainyard/core": "workspace:^" });
const mock = client("mock", { "@trainyard/training": "workspace:^", "@trainyard/core": "workspace:^" });

describe("the manifest", () => {
  it("describes each file, and how to install it with its dependencies", () => {
    const { packages } = makeManifest([mock, core, training], "https://host.example/files/");
    const base = "https://host.example/files/trainyard";
    expect(packages.map(({ name, needs }) => [name, needs])).toEqual([
      ["@trainyard/mock", ["@trainyard/core", "@trainyard/training"]],
      ["@trainyard/core", []],
      ["@trainyard/training", ["@trainyard/core"]],
    ]);
    expect(packages[2]).toEqual({
      name: "@trainyard/training",
      version: "1.0.0",
      contractVersion: "2.3.0",
      file: "trainyard-training-1.0.0-0123abc.tgz",
      url: `${base}-training-1.0.0-0123abc.tgz`,
      integrity: "sha512-abc",
      size: 2048,
      needs: ["@trainyard/core"],
      sbom: "trainyard-training.cdx.json",
      install: {
        npm: `npm install ${base}-core-1.0.0-0123abc.tgz ${base}-training-1.0.0-0123abc.tgz`,
        pnpm:
          "pnpm config set --location project blockExoticSubdeps false && " +
          `pnpm config set --location project --json overrides '{"@trainyard/core":"${base}-core-1.0.0-0123abc.tgz"}' && ` +
          `pnpm add ${base}-training-1.0.0-0123abc.tgz`,
        bun:
          `bun pm pkg set "overrides.@trainyard/core=${base}-core-1.0.0-0123abc.tgz" && ` +
          `bun add ${base}-training-1.0.0-0123abc.tgz`,
      },
    });
  });

  it("names the files on this machine if no URL is known, so that a line works in each folder", () => {
    const [entry] = makeManifest([training, core]).packages;
    const files = ["core", "training"].map((name) => `/somewhere/trainyard-${name}-1.0.0-0123abc.tgz`);
    expect(entry?.url).toBeNull();
    expect(entry?.install.npm).toBe(`npm install ${files.join(" ")}`);
    // A file is no URL: pnpm's guard against those stays on.
    expect(entry?.install.pnpm).not.toContain("blockExoticSubdeps");
    expect(entry?.install.pnpm).toContain(`"@trainyard/core":"file:${files[0]}"`);
  });

  it("quotes a path with a space", () => {
    const [entry] = makeManifest([{ ...core, tarball: "/my files/core.tgz" }]).packages;
    expect(entry?.install.npm).toBe('npm install "/my files/core.tgz"');
  });

  it("is shown to people with each of its lines", () => {
    const manifest = makeManifest([mock, core, training], "https://host.example/files");
    const text = toMarkdown(manifest);
    for (const { integrity, install, name } of manifest.packages) {
      expect(text).toContain(`## ${name}\n`);
      for (const line of [integrity, ...Object.values(install)]) expect(text).toContain(line);
    }
    expect(text).toContain("| @trainyard/core | 1.0.0 | – |");
  });
});

it("has the integrity that lockfiles check", () => {
  // Of no bytes at all, as every implementation has it.
  expect(integrityOf(new Uint8Array())).toBe(
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  );
});

it.each([
  ["npm", "package-lock.json"],
  ["pnpm", "pnpm-lock.yaml"],
] as const)(
  "%s installs with its line, without a registry, and checks the integrity of the files",
  { tags: ["long"] },
  async (manager, file) => {
    const folder = makeTemporaryFolder("lines-test");
    const tarball = async (name: string, dependencies: Record<string, string>): Promise<Client> => {
      const source = join(folder, name, "package");
      const manifest = {
        name: `@trainyard/${name}`,
        version: "1.0.0",
        type: "module",
        exports: "./index.js",
        dependencies,
      };
      mkdirSync(source, { recursive: true });
      writeFileSync(join(source, "package.json"), JSON.stringify(manifest));
      writeFileSync(
        join(source, "index.js"),
        name === "core" ? "export const core = 1;" : 'export * from "@trainyard/core";',
      );
      await promisify(execFile)("tar", ["-czf", "../file.tgz", "-C", "..", "package"], { cwd: source });
      const file = join(folder, `${name}.tgz`);
      writeFileSync(file, readFileSync(join(folder, name, "file.tgz")));
      return { ...describeTarball(file, manifest), contractVersion: null, sbom: "" };
    };
    const packed = [await tarball("core", {}), await tarball("training", { "@trainyard/core": "^1.0.0" })];
    const server = createServer((request, response) =>
      response.end(readFileSync(join(folder, basename(request.url ?? "")))),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      const entry = makeManifest(packed, `http://127.0.0.1:${port}`).packages.find(({ needs }) => needs.length > 0);
      const program = join(folder, "program");
      mkdirSync(program);
      writeFileSync(join(program, "package.json"), '{"private":true,"type":"module"}');
      // A registry that is not there: whoever asks it fails.
      const nowhere = {
        npm_config_registry: "http://127.0.0.1:1/",
        npm_config_fetch_retries: "0",
        npm_config_audit: "false",
      };
      const env = { ...nowhere, npm_config_cache: join(folder, "cache"), NO_PROXY: "127.0.0.1" };
      await promisify(exec)(entry?.install[manager] ?? "", { cwd: program, env: { ...process.env, ...env } });
      const lockfile = readFileSync(join(program, file), "utf8");
      for (const { integrity } of packed) expect(lockfile).toContain(integrity);
      writeFileSync(join(program, "program.js"), 'console.log((await import("@trainyard/training")).core);');
      expect((await promisify(exec)("node program.js", { cwd: program })).stdout.trim()).toBe("1");
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
);
