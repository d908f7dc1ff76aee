import { basename } from "node:path";
import { chosen } from "./into.ts";
import { installLines, type Lines, type Source } from "./lines.ts";
import type { Packed } from "./pack.ts";

/** The manifest's entry for one tarball. */
export interface Entry {
  readonly name: string;
  readonly version: string;
  /** The version of its document; null if it has none. */
  readonly contractVersion: string | null;
  readonly file: string;
  /** The address of the file; null without a base URL. */
  readonly url: string | null;
  readonly integrity: string;
  readonly size: number;
  /** Its dependencies among these packages, including indirect ones. */
  readonly needs: readonly string[];
  /** Its SBOM, as CycloneDX JSON. */
  readonly sbom: string;
  readonly install: Lines;
}

/** The content of a folder of packed clients: `manifest.json`. */
export interface ClientManifest {
  /** The version of this format. */
  readonly version: 1;
  readonly packages: readonly Entry[];
}

/** A tarball with facts that its bytes do not contain. */
export interface Client extends Packed {
  readonly contractVersion: string | null;
  /** The name of its SBOM file. */
  readonly sbom: string;
}

/** @param baseUrl the folder from which the files can be downloaded; without it, commands name the files on this machine */
export function makeManifest(clients: readonly Client[], baseUrl?: string): ClientManifest {
  const base = baseUrl?.replace(/\/+$/, "");
  const address = (client: Client): string =>
    base === undefined ? client.tarball : `${base}/${basename(client.tarball)}`;
  const source = (client: Client): Source => ({ name: client.name, address: address(client) });
  return {
    version: 1,
    packages: clients.map((client) => {
      const others = chosen([client.name], clients).filter((other) => other !== client);
      return {
        name: client.name,
        version: client.version,
        contractVersion: client.contractVersion,
        file: basename(client.tarball),
        url: base === undefined ? null : address(client),
        integrity: client.integrity,
        size: client.size,
        needs: others.map(({ name }) => name),
        sbom: client.sbom,
        install: installLines(source(client), others.map(source)),
      };
    }),
  };
}
