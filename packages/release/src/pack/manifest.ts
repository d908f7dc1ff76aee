import { basename } from "node:path";
import { needs } from "../lib/workspace.ts";
import { installLines, type Lines } from "./lines.ts";
import type { Packed } from "./pack.ts";

/** What is said of one tarball. */
export interface Entry {
  readonly name: string;
  readonly version: string;
  /** Of the document that it speaks; null where it speaks none. */
  readonly contractVersion: string | null;
  readonly file: string;
  /** Where the file is; null where no base URL was given. */
  readonly url: string | null;
  readonly integrity: string;
  readonly size: number;
  /** The other packages of this list that it runs with, all the way down. */
  readonly needs: readonly string[];
  /** What it is made of, as CycloneDX JSON. */
  readonly sbom: string;
  readonly install: Lines;
}

/** What lies in a folder of packed clients: `manifest.json`. */
export interface ClientManifest {
  /** Of this form. */
  readonly version: 1;
  readonly packages: readonly Entry[];
}

/** A tarball with what its own bytes do not say. */
export interface Client extends Packed {
  readonly contractVersion: string | null;
  /** The name of the file beside it. */
  readonly sbom: string;
}

/** @param baseUrl the folder that the files can be downloaded from; install lines name local files where absent */
export function makeManifest(clients: readonly Client[], baseUrl?: string): ClientManifest {
  const base = baseUrl?.replace(/\/+$/, "");
  const address = (client: Client): string => `${base ?? "."}/${basename(client.tarball)}`;
  const source = (client: Client): { name: string; address: string } => ({
    name: client.name,
    address: address(client),
  });
  return {
    version: 1,
    packages: clients.map((client) => {
      const others = closure(client, clients);
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

/** The packages of the list that one needs, those that need nothing first. */
function closure(of: Packed, clients: readonly Client[]): Client[] {
  const found = new Set<Client>();
  const visit = (packed: Packed): void => {
    for (const name of Object.keys(needs(packed.manifest))) {
      const needed = clients.find((client) => client.name === name);
      if (needed === undefined || found.has(needed)) continue;
      visit(needed);
      found.add(needed);
    }
  };
  visit(of);
  return [...found];
}
