import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { describe } from "./markdown.ts";
import { type Client, type ClientManifest, makeManifest } from "./manifest.ts";
import { pack } from "./pack.ts";
import { root } from "../lib/workspace.ts";
import { readClients } from "../versions/clients.ts";

/**
 * Packs every published package into a folder, with its SBOM, a `manifest.json`, and a `manifest.md` for people. The
 * packages must be built already.
 *
 * @param out a folder for the packed clients only. Files of an earlier run are deleted
 * @param baseUrl the address from which the files will be downloaded
 */
export function packClients(out: string, baseUrl?: string): ClientManifest {
  if (baseUrl !== undefined) checkUrl(baseUrl);
  clear(out);
  mkdirSync(out, { recursive: true });
  const contracts = new Map(readClients(root).map(({ name, contract }) => [name, contract]));
  const clients = pack(out).map((packed): Client => {
    const tarball = withDigest(packed.tarball);
    return { ...packed, tarball, contractVersion: contracts.get(packed.name) ?? null, sbom: sbomFile(packed.name) };
  });
  makeSboms(
    clients.map(({ name }) => name),
    out,
  );
  const manifest = makeManifest(clients, baseUrl);
  writeFileSync(join(out, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(out, "manifest.md"), describe(manifest));
  return manifest;
}

/** Deletes the files of an earlier run, and refuses a folder with any other files. */
function clear(out: string): void {
  const found = existsSync(out) ? readdirSync(out) : [];
  const other = found.find((name) => !/\.tgz$|\.cdx\.json$|^manifest\.(json|md)$/.test(name));
  if (other !== undefined)
    throw new Error(`${out} holds ${other}, which is not of packed clients. Name another folder with --out.`);
  for (const name of found) rmSync(join(out, name));
}

function checkUrl(baseUrl: string): void {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new Error(`--base-url must be an address such as https://host/folder, not ${baseUrl}.`);
}

/** Adds the start of its digest to the name of a file, so that another content has another address. @returns the new path */
export function withDigest(tarball: string): string {
  const digest = createHash("sha512").update(readFileSync(tarball)).digest("hex").slice(0, 12);
  const named = tarball.replace(/\.tgz$/, `-${digest}.tgz`);
  renameSync(tarball, named);
  return named;
}

/** The name of the file that {@link makeSboms} writes for a package. */
function sbomFile(name: string): string {
  return `${name.replace("@", "").replace("/", "-")}.cdx.json`;
}

/** Has pnpm write the SBOM of each package, from the lockfile, to a folder. */
function makeSboms(names: readonly string[], folder: string): void {
  const form = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--prod", "--exclude-peers", "--split"];
  const filters = names.flatMap((name) => ["--filter", name]);
  run("pnpm", ["sbom", ...form, "--out", join(folder, "%s.cdx.json"), ...filters], { cwd: root });
}
