import { parse } from "yaml";
import { isObject } from "../lib/object.ts";

/** A package of a lockfile, with its platforms. */
export interface Locked {
  readonly name: string;
  readonly version: string;
  readonly os: readonly string[];
  readonly cpu: readonly string[];
  readonly libc: readonly string[];
}

/** The platforms and dependencies of a lockfile. */
export interface Lockfile {
  readonly packages: readonly Locked[];
  /** The direct dependencies of the workspace's packages: keys of `needs`. */
  readonly roots: readonly string[];
  /** For each package, as `name@version` with its peers, the keys of its dependencies, including optional ones. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** For each package, the names of its optional dependencies. */
  readonly optional: ReadonlyMap<string, readonly string[]>;
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): [string, Members][] {
  return isObject(value) ? Object.entries(value).map(([key, member]) => [key, isObject(member) ? member : {}]) : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The packages that an importer or a package names, as `name@version`, with aliases resolved. */
function neededBy(members: Members, snapshots: Members): string[] {
  return [members["dependencies"], members["devDependencies"], members["optionalDependencies"]]
    .flatMap((group) => (isObject(group) ? Object.entries(group) : []))
    .map(([name, value]) => [name, String(isObject(value) ? value["version"] : value)])
    .map(([name, version = ""]) => (`${name}@${version}` in snapshots ? `${name}@${version}` : version))
    .filter((key) => key in snapshots);
}

/** Reads `pnpm-lock.yaml`, without the separate document for pnpm itself. */
export function readLockfile(text: string): Lockfile {
  const documents = text.split(/^---\n/m).map((part): unknown => parse(part));
  const root = documents.filter(isObject).find((document) => isObject(document["packages"]));
  if (root === undefined) throw new Error("pnpm-lock.yaml lists no packages.");
  const packages = membersOf(root["packages"]).map(([key, { os, cpu, libc }]) => {
    const at = key.lastIndexOf("@");
    return {
      name: key.slice(0, at),
      version: key.slice(at + 1),
      os: textsOf(os),
      cpu: textsOf(cpu),
      libc: textsOf(libc),
    };
  });
  const optional = membersOf(root["snapshots"]).flatMap(([key, { optionalDependencies }]): [string, string[]][] => {
    const names = isObject(optionalDependencies) ? Object.keys(optionalDependencies) : [];
    return names.length > 0 ? [[key, names]] : [];
  });
  const snapshots = isObject(root["snapshots"]) ? root["snapshots"] : {};
  const needs = membersOf(snapshots).map(([key, members]) => [key, neededBy(members, snapshots)] as const);
  const roots = membersOf(root["importers"]).flatMap(([, members]) => neededBy(members, snapshots));
  return { packages, roots, needs: new Map(needs), optional: new Map(optional) };
}
