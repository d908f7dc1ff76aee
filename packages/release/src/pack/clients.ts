import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import { readClients } from "../versions/clients.ts";
import { chosen } from "./chosen.ts";
import { pack, type Packed } from "./pack.ts";

/** The entry of one tarball in `manifest.json`. */
export interface Entry extends Pick<Packed, "name" | "version" | "integrity" | "size"> {
  /** The version of its document; null if it has none. */
  readonly contractVersion: string | null;
  readonly file: string;
  /** The address of the file; null without a base URL. */
  readonly url: string | null;
  /** Its dependencies among these packages, including indirect ones. */
  readonly needs: readonly string[];
  /** Its SBOM, as CycloneDX JSON. */
  readonly sbom: string;
}

/**
 * Packs every published package into a folder, with its SBOM and a `manifest.json`. The packages must be built already.
 *
 * @param out a folder for the packed clients only. Files of an earlier run are deleted
 * @param baseUrl the address from which the files will be downloaded
 */
export function packClients(out: string, baseUrl?: string): Entry[] {
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ""))
    throw new Error(`--base-url must be an address such as https://host/folder, not ${baseUrl}.`);
  clear(out);
  mkdirSync(out, { recursive: true });
  const contracts = new Map(readClients(root).map(({ name, contract }) => [name, contract]));
  const all = pack(out).map((packed) => ({ ...packed, tarball: withDigest(packed.tarball) }));
  // pnpm writes them from the lockfile.
  const form = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--prod", "--exclude-peers", "--split"];
  const filters = all.flatMap(({ name }) => ["--filter", name]);
  run("pnpm", ["sbom", ...form, "--out", join(out, "%s.cdx.json"), ...filters], { cwd: root });
  const packages = all.map((one): Entry => {
    const { name, version, integrity, size, tarball } = one;
    const file = basename(tarball);
    return {
      name,
      version,
      contractVersion: contracts.get(name) ?? null,
      file,
      url: baseUrl === undefined ? null : `${baseUrl.replace(/\/+$/, "")}/${file}`,
      integrity,
      size,
      needs: chosen([name], all).flatMap((other) => (other === one ? [] : [other.name])),
      sbom: `${name.replace("@", "").replace("/", "-")}.cdx.json`,
    };
  });
  writeFileSync(join(out, "manifest.json"), `${JSON.stringify({ version: 1, packages }, null, 2)}\n`);
  return packages;
}

/** Deletes the files of an earlier run, and refuses a folder with any other files. */
function clear(out: string): void {
  const found = existsSync(out) ? readdirSync(out) : [];
  const other = found.find((name) => !/\.tgz$|\.cdx\.json$|^manifest\.(json|md)$/.test(name));
  if (other !== undefined)
    throw new Error(`${out} holds ${other}, which is not of packed clients. Name another folder with --out.`);
  for (const name of found) rmSync(join(out, name));
}

/** Adds the start of its digest to the name of a file, so that another content has another address. @returns the new path */
export function withDigest(tarball: string): string {
  const digest = hash("sha512", readFileSync(tarball)).slice(0, 12);
  const named = tarball.replace(/\.tgz$/, `-${digest}.tgz`);
  renameSync(tarball, named);
  return named;
}
