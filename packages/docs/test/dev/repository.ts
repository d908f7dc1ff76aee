import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { root as own } from "../../src/places.ts";

/** A repository with the package of one client, which finds the core of this repository. It is removed after the file's tests. */
export function repositoryOf(service: string): { readonly root: string; readonly client: string } {
  const root = mkdtempSync(join(tmpdir(), "trainyard-dev-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const client = join(root, "packages", service);
  mkdirSync(join(client, "node_modules/@trainyard"), { recursive: true });
  symlinkSync(join(own, "packages/core"), join(client, "node_modules/@trainyard/core"));
  writeFileSync(join(client, "package.json"), '{ "type": "module" }');
  return { root, client };
}
