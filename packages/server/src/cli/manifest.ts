import { createHash, hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";

/** What is in a backup: the content of its `manifest.json`. */
export interface Manifest {
  /** The version of the package that made it. */
  readonly release: string;
  readonly schema_version: number;
  /** The moment of the data, in ISO 8601. */
  readonly time: string;
  /** The folders of checkpoints, which may be empty. */
  readonly folders: readonly string[];
  readonly files: readonly ManifestFile[];
  /** The digest of all above, as JSON without spaces. */
  readonly sha256: string;
}

export interface ManifestFile {
  /** Relative to the folder of the backup. */
  readonly path: string;
  readonly bytes: number;
  /** In lower-case hexadecimal digits, as `sha256sum` prints it. */
  readonly sha256: string;
}

/** A manifest with its own digest. */
export function sealed(content: Omit<Manifest, "sha256">): Manifest {
  return { ...content, sha256: hash("sha256", JSON.stringify(content)) };
}

/**
 * The size and the digest of a file.
 *
 * @param mode its permissions from now on, for a copy: it is on disk then
 */
export async function digestOf(file: string, mode?: number): Promise<Omit<ManifestFile, "path">> {
  const handle = await open(file, "r");
  try {
    if (mode !== undefined) {
      await handle.chmod(mode);
      await handle.sync();
    }
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const part of handle.createReadStream({ autoClose: false })) {
      const chunk: Buffer = part;
      digest.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: digest.digest("hex") };
  } finally {
    await handle.close();
  }
}

/** The bytes of all files. */
export function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The version of this package. */
export function releaseOf(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return version;
}
