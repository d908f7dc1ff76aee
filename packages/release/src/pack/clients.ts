import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { makeSboms, sbomFile } from "../sbom/sbom.ts";
import { describe } from "./markdown.ts";
import { type Client, type ClientManifest, makeManifest } from "./manifest.ts";
import { pack } from "./pack.ts";
import { published, root } from "../lib/workspace.ts";

export interface ClientOptions {
  /** A folder for them alone: what an earlier run left there goes. */
  readonly out: string;
  /** Where the files will be downloaded from. */
  readonly baseUrl?: string | undefined;
}

/**
 * Packs every published package into a folder, beside what each is made of, a `manifest.json`, and a `manifest.md` for
 * people. The packages are built already.
 */
export function packClients({ out, baseUrl }: ClientOptions): ClientManifest {
  if (baseUrl !== undefined) checkUrl(baseUrl);
  clear(out);
  mkdirSync(out, { recursive: true });
  const clients = pack(out).map((packed): Client => {
    const tarball = withDigest(packed.tarball);
    renameSync(packed.tarball, tarball);
    return { ...packed, tarball, contractVersion: contractVersion(packed.name), sbom: sbomFile(packed.name) };
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

/** Takes away what an earlier run left there, and refuses to mix with anything else. */
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

/** The file's name with the beginning of its digest: another content is another address. */
function withDigest(tarball: string): string {
  const digest = createHash("sha512").update(readFileSync(tarball)).digest("hex").slice(0, 12);
  return tarball.replace(/\.tgz$/, `-${digest}.tgz`);
}

/** Of the document that a package carries. */
function contractVersion(name: string): string | null {
  const folder = published().find(({ manifest }) => manifest.name === name)?.folder ?? root;
  const file = join(folder, "src/generated/openapi.json");
  if (!existsSync(file)) return null;
  const document: { readonly info: { readonly version: string } } = JSON.parse(readFileSync(file, "utf8"));
  return document.info.version;
}
