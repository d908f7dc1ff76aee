import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "@trainyard/contract";
import { published } from "../lib/workspace.ts";

/** A client in its current state: its package, and the version of its contract. */
export interface Client {
  readonly service: string;
  /** The name of its package. */
  readonly name: string;
  readonly version: string;
  /** `info.version` of its document. */
  readonly contract: string;
}

/** Every published client, by service. @throws {@link Failure} if one was not generated */
export function readClients(root: string): Client[] {
  return published(root).flatMap(({ folder, manifest: { name, version } }): Client[] => {
    const service = basename(folder);
    if (!existsSync(join(root, "openapi", service, "openapi.yaml"))) return [];
    const file = join(folder, "src/generated/openapi.json");
    if (!existsSync(file)) throw new Failure(`${name} has no document. Make it with: npx -y pnpm@12 generate`);
    const document: { info?: { version?: unknown } } = JSON.parse(readFileSync(file, "utf8"));
    return [{ service, name, version, contract: String(document.info?.version) }];
  });
}

/** The package of a service's client; undefined if it has no published one. */
export function clientOf(root: string, service: string): string | undefined {
  return published(root).find(({ folder }) => basename(folder) === service)?.manifest.name;
}
