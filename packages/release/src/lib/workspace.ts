import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The root of the repository. */
export const root: string = join(import.meta.dirname, "../../../..");

/** The fields of a package.json that this package reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly main?: string;
  readonly types?: string;
  /** An address in the root, and an object in a packed package. */
  readonly repository?: string | { readonly type?: string; readonly url?: string; readonly directory?: string };
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A published package of the workspace. */
export interface Published {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Reads a package.json. */
export function readManifest(file: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"));
  return manifest;
}

/** Every package of a workspace that is not private, by name. */
export function published(workspace: string = root): Published[] {
  return globSync("packages/*/package.json", { cwd: workspace })
    .toSorted()
    .map((file) => ({ folder: join(workspace, dirname(file)), manifest: readManifest(join(workspace, file)) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** The runtime dependencies of a package, with their ranges. */
export function needs({ dependencies, optionalDependencies, peerDependencies }: Manifest): Record<string, string> {
  return { ...peerDependencies, ...optionalDependencies, ...dependencies };
}
