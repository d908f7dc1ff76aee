import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rcompare } from "semver";
import { expect, it } from "vitest";
import { published, root } from "../src/lib/workspace.ts";
import { unknownPackages } from "../src/versions/agreement.ts";
import { readChangesets } from "../src/versions/changeset.ts";
import { readClients } from "../src/versions/clients.ts";
import { readReleases } from "@trainyard/contract";

const clients = readClients(root);
const releases = readReleases(root);
const changesets = readChangesets(root);

it("has a client for each service", () => {
  const services = globSync("openapi/*/openapi.yaml", { cwd: root });
  expect(clients.map(({ service }) => `openapi/${service}/openapi.yaml`)).toEqual(
    services.map((file) => file.replaceAll("\\", "/")).toSorted(),
  );
});

it.each(clients)("describes $name", ({ service, name, version, contract }) => {
  const last = releases.find(({ contract: released }) => Object.hasOwn(released, service));
  if (last === undefined) {
    // Never released.
    expect(version).toMatch(/^0\./);
    return;
  }
  expect(last.version).toBe(version);
  // Between two releases, a changeset says why the contract is another.
  const waits = changesets.some(({ releases }) => releases.has(name));
  if (!waits) expect(last.contract[service]).toBe(contract);
});

it.each(clients)("matches the description of $name itself", ({ service, contract }) => {
  const source = readFileSync(join(root, "packages", service, "src/generated/client.ts"), "utf8");
  expect(source).toContain(`export const contractVersion = "${contract}";`);
});

it("lists releases from newest to oldest", () => {
  const versions = releases.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted(rcompare));
});

it("permits only published packages in changesets", () => {
  expect(unknownPackages(published(root), changesets)).toEqual([]);
});
